// What the kernels share. Part of the kernels, compiled once per instruction set.
#pragma once

#include "base/particle_lanes.h"
#include "solvers/position_based/kernels.h"

// Entries are flattened: no call, and so no symbol that another set could share, is left in them.
#define PLIANT_ENTRY [[gnu::flatten]] static

namespace pliant::PLIANT_TARGET {

using namespace solvers::position_based;

// Lanes for pairs, which are bound by loads and stores (16 of AVX-512 gain nothing over 8), for clusters of
// several constraints, each of which waits for those before it, and for all else. In WebAssembly two
// registers at a time make good for the waiting: clusters take 5 to 15 % less.
#if defined(__AVX512F__)
inline constexpr int narrow = 8, chained = 16, wide = 16;
#elif defined(__AVX2__)
inline constexpr int narrow = 8, chained = 8, wide = 8;
#elif defined(__wasm_simd128__)
inline constexpr int narrow = 4, chained = 8, wide = 4;
#elif defined(__SSE4_1__) || defined(PLIANT_GENERIC_SIMD)
inline constexpr int narrow = 4, chained = 4, wide = 4;
#else
inline constexpr int narrow = 1, chained = 1, wide = 1;
#endif

// Whether pairs are solved on rows, two groups in flight. In WebAssembly those leave the registers: as lanes,
// like all else, pairs take 16 % less.
#if defined(__wasm_simd128__)
inline constexpr bool pairs_on_rows = false;
#else
inline constexpr bool pairs_on_rows = narrow > 1;
#endif

template <int N>
using Vector = Vector3<Lane<N>>;

template <int N>
PLIANT_INLINE Vector<N> xyz(const ParticleLanes<N>& p) {
    return {p.x, p.y, p.z};
}

}  // namespace pliant::PLIANT_TARGET
