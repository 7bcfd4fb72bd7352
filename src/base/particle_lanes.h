// Particles between memory, where each is a row of four floats, and lanes: 128-bit loads and stores with 4×4
// transposes in registers. Gather and scatter are 2–2.5 times slower.
#pragma once

#include "base/lanes.h"
#include "base/particle_layout.h"
#include "base/unroll.h"

namespace pliant::PLIANT_TARGET {

// N particles, transposed: one lane vector for each of x, y, z and the inverse mass w.
template <int N>
struct ParticleLanes {
    Lane<N> x, y, z, w;
};

namespace detail {

using Int4 = Vec<4>::Int;

PLIANT_INLINE Int4 load_particle(const float* base, std::uint32_t byte_offset) {
    Int4 p;
    __builtin_memcpy(&p, reinterpret_cast<const char*>(base) + byte_offset, sizeof(p));
    return p;
}

PLIANT_INLINE void store_particle(float* base, std::uint32_t byte_offset, Int4 p) {
    __builtin_memcpy(reinterpret_cast<char*>(base) + byte_offset, &p, sizeof(p));
}

// Joins parts. g++ 12 would shuffle registers for it; the intrinsics insert from memory.
template <int N>
PLIANT_INLINE typename Vec<N>::Int join(Int4 a, Int4 b) {
#if defined(__AVX2__)
    return (typename Vec<N>::Int)_mm256_inserti128_si256(_mm256_castsi128_si256((__m128i)a), (__m128i)b, 1);
#else
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
#endif
}
template <int N>
PLIANT_INLINE typename Vec<N>::Int join(Int4 a, Int4 b, Int4 c, Int4 d) {
#if defined(__AVX512F__)
    const __m512i ab = _mm512_castsi256_si512((__m256i)join<8>(a, b));
    return (typename Vec<N>::Int)_mm512_inserti32x4(_mm512_inserti32x4(ab, (__m128i)c, 2), (__m128i)d, 3);
#else
    return __builtin_shufflevector(join<8>(a, b), join<8>(c, d), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13,
                                   14, 15);
#endif
}

// Row i of the 4×4 transposes: particle i in the first four lanes, i + 4 in the next four, and so on.
// The 128-bit parts go to and come from memory one by one: gather and scatter are 2–2.5 times slower.
template <int N, class Offset>
PLIANT_INLINE typename Vec<N>::Int load_row(const float* base, Offset offset, int i) {
    const Int4 a = load_particle(base, offset(i));
    if constexpr (N == 4) {
        return a;
    } else if constexpr (N == 8) {
        return join<8>(a, load_particle(base, offset(i + 4)));
    } else {
        return join<16>(a, load_particle(base, offset(i + 4)), load_particle(base, offset(i + 8)),
                        load_particle(base, offset(i + 12)));
    }
}

// The reverse. Upper halves go to memory by the extract intrinsics (what g++ 12 makes of a shuffle costs
// 25–80 %), and 512 bits are halved first: extracting their quarters would take the one shuffle port.
template <int N>
PLIANT_INLINE Vec<4>::Int upper_half(typename Vec<N>::Int row) {
#if defined(__AVX2__)
    return (Vec<4>::Int)_mm256_extracti128_si256((__m256i)row, 1);
#else
    return __builtin_shufflevector(row, row, 4, 5, 6, 7);
#endif
}

template <int N, class Offset>
PLIANT_INLINE void store_row(float* base, Offset offset, int i, typename Vec<N>::Int row) {
    if constexpr (N == 4) {
        store_particle(base, offset(i), row);
    } else if constexpr (N == 8) {
        store_particle(base, offset(i), __builtin_shufflevector(row, row, 0, 1, 2, 3));
        store_particle(base, offset(i + 4), upper_half<8>(row));
    } else {
        store_row<8>(base, offset, i, __builtin_shufflevector(row, row, 0, 1, 2, 3, 4, 5, 6, 7));
        store_row<8>(base, offset, i + 8, __builtin_shufflevector(row, row, 8, 9, 10, 11, 12, 13, 14, 15));
    }
}

// Rearranges within each group of four lanes: lanes 0…3 of the pattern mean a's group, 4…7 mean b's. On
// integers, whose shuffles have two ports on x86.
template <int N, int A, int B, int C, int D, int... G>
PLIANT_INLINE typename Vec<N>::Int shuffle_groups(typename Vec<N>::Int a, typename Vec<N>::Int b,
                                                  std::integer_sequence<int, G...>) {
    constexpr int pattern[4] = {A, B, C, D};
    return __builtin_shufflevector(a, b, (pattern[G % 4] % 4 + G / 4 * 4 + (pattern[G % 4] >= 4 ? N : 0))...);
}
template <int N, int A, int B, int C, int D>
PLIANT_INLINE typename Vec<N>::Int shuffle(typename Vec<N>::Int a, typename Vec<N>::Int b) {
    return shuffle_groups<N, A, B, C, D>(a, b, std::make_integer_sequence<int, N>());
}

// The same for pairs of lanes, as 64-bit integers (as 32-bit ones g++ would take a slower permutation).
template <int N>
PLIANT_INLINE typename Vec<N>::Int low_pairs(typename Vec<N>::Int a, typename Vec<N>::Int b) {
#if defined(__AVX512F__)
    if constexpr (N == 16) return (typename Vec<N>::Int)_mm512_unpacklo_epi64((__m512i)a, (__m512i)b);
#endif
#if defined(__AVX2__)
    if constexpr (N == 8) return (typename Vec<N>::Int)_mm256_unpacklo_epi64((__m256i)a, (__m256i)b);
#endif
    return shuffle<N, 0, 1, 4, 5>(a, b);
}
template <int N>
PLIANT_INLINE typename Vec<N>::Int high_pairs(typename Vec<N>::Int a, typename Vec<N>::Int b) {
#if defined(__AVX512F__)
    if constexpr (N == 16) return (typename Vec<N>::Int)_mm512_unpackhi_epi64((__m512i)a, (__m512i)b);
#endif
#if defined(__AVX2__)
    if constexpr (N == 8) return (typename Vec<N>::Int)_mm256_unpackhi_epi64((__m256i)a, (__m256i)b);
#endif
    return shuffle<N, 2, 3, 6, 7>(a, b);
}

template <int N>
PLIANT_INLINE void transpose(typename Vec<N>::Int (&r)[4]) {
    const auto t0 = shuffle<N, 0, 4, 1, 5>(r[0], r[1]);
    const auto t1 = shuffle<N, 0, 4, 1, 5>(r[2], r[3]);
    const auto t2 = shuffle<N, 2, 6, 3, 7>(r[0], r[1]);
    const auto t3 = shuffle<N, 2, 6, 3, 7>(r[2], r[3]);
    r[0] = low_pairs<N>(t0, t1);
    r[1] = high_pairs<N>(t0, t1);
    r[2] = low_pairs<N>(t2, t3);
    r[3] = high_pairs<N>(t2, t3);
}

// Rows hold x, y, z, w of a particle in each group of four lanes.
template <int N>
PLIANT_INLINE typename Vec<N>::Float negate_mass(typename Vec<N>::Float row) {
    using Int = typename Vec<N>::Int;
    Int sign{};
    unroll<N / 4>([&](auto g) { sign[4 * g + 3] = INT32_MIN; });
    return (typename Vec<N>::Float)((Int)row ^ sign);
}

// (w, w, w, 0)
template <int N>
PLIANT_INLINE typename Vec<N>::Float spread_mass(typename Vec<N>::Float row) {
    using Float = typename Vec<N>::Float;
    using Int = typename Vec<N>::Int;
    [[maybe_unused]] constexpr std::int32_t w = 0x0f0e0d0c, none = -1;  // bytes 12…15, and zero
#if defined(__AVX512F__)
    if constexpr (N == 16) {
        const Int bytes{w, w, w, none, w, w, w, none, w, w, w, none, w, w, w, none};
        return (Float)_mm512_shuffle_epi8((__m512i)row, (__m512i)bytes);
    }
#endif
#if defined(__AVX2__)
    if constexpr (N == 8) {
        const Int bytes{w, w, w, none, w, w, w, none};
        return (Float)_mm256_shuffle_epi8((__m256i)row, (__m256i)bytes);
    }
#endif
#if defined(__SSSE3__)
    if constexpr (N == 4) {
        const Int bytes{w, w, w, none};
        return (Float)_mm_shuffle_epi8((__m128i)row, (__m128i)bytes);
    }
#endif
    return (Float)shuffle<N, 3, 3, 3, 4>((Int)row, Int{});
}

}  // namespace detail

// offset(i) is the byte offset of the particle in lane i.
template <int N, class Offset>
PLIANT_INLINE ParticleLanes<N> load_particles(const float* base, Offset offset) {
    if constexpr (N == 1) {
        const float* p = reinterpret_cast<const float*>(reinterpret_cast<const char*>(base) + offset(0));
        return {p[0], p[1], p[2], p[3]};
    } else {
        using Float = typename Vec<N>::Float;
        typename Vec<N>::Int r[4] = {
            detail::load_row<N>(base, offset, 0), detail::load_row<N>(base, offset, 1),
            detail::load_row<N>(base, offset, 2), detail::load_row<N>(base, offset, 3)};
        detail::transpose<N>(r);
        return {Lane<N>::from((Float)r[0]), Lane<N>::from((Float)r[1]), Lane<N>::from((Float)r[2]),
                Lane<N>::from((Float)r[3])};
    }
}

template <int N, class Offset>
PLIANT_INLINE void store_particles(float* base, Offset offset, const ParticleLanes<N>& lanes) {
    if constexpr (N == 1) {
        float* p = reinterpret_cast<float*>(reinterpret_cast<char*>(base) + offset(0));
        p[0] = lanes.x.v;
        p[1] = lanes.y.v;
        p[2] = lanes.z.v;
        p[3] = lanes.w.v;
    } else {
        using Int = typename Vec<N>::Int;
        Int r[4] = {(Int)lanes.x.v, (Int)lanes.y.v, (Int)lanes.z.v, (Int)lanes.w.v};
        detail::transpose<N>(r);
        detail::store_row<N>(base, offset, 0, r[0]);
        detail::store_row<N>(base, offset, 1, r[1]);
        detail::store_row<N>(base, offset, 2, r[2]);
        detail::store_row<N>(base, offset, 3, r[3]);
    }
}

}  // namespace pliant::PLIANT_TARGET
