// A look at tetrahedra. Part of the kernels, compiled once per instruction set.
#pragma once

#include "solvers/position_based/kernel_basics.h"

namespace pliant::PLIANT_TARGET {

// All bits set in the lanes of tetrahedra with J ≤ 0, or with a NaN. offsets: [4][16].
template <int N>
PLIANT_INLINE Mask<N> inverted_lanes(const float* position, const std::uint32_t* offsets) {
    Vector<N> x[4];
    unroll<4>([&](auto k) {
        const auto at = [&](int i) { return offsets[k * block_size + static_cast<std::size_t>(i)]; };
        x[k] = xyz(load_particles<N>(position, at));
    });
    const Lane<N> volume = dot(cross(x[1] - x[0], x[2] - x[0]), x[3] - x[0]);
    return !(volume > Lane<N>(0.0f));
}

PLIANT_ENTRY std::uint32_t count_inverted(const TetrahedronRange& r) {
    const std::size_t whole = r.count / block_size * block_size;
    typename Vec<wide>::Int counts{};
    for (std::size_t i = 0; i < whole; i += wide) {
        const std::size_t block = i / block_size * 4 * block_size;
        counts -= inverted_lanes<wide>(r.position, r.offsets + block + i % block_size).bits;
    }
    std::int32_t lanes[wide];
    __builtin_memcpy(lanes, &counts, sizeof(lanes));
    std::uint32_t sum = 0;
    for (int i = 0; i < wide; ++i) sum += static_cast<std::uint32_t>(lanes[i]);
    for (std::size_t i = whole; i < r.count; ++i)
        sum += any(inverted_lanes<1>(r.position, r.offsets + whole * 4 + i % block_size)) ? 1u : 0u;
    return sum;
}

}  // namespace pliant::PLIANT_TARGET
