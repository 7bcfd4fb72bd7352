// The test at the end of a substep. Part of the kernels, compiled once per instruction set.
#pragma once

#include "solvers/position_based/contact/pair_kernels.h"

namespace pliant::PLIANT_TARGET {

// Of what is near at rest: it may come as near as this share of that.
inline constexpr float least_of_rest = 0.09f;

// How far a direction separates the two parts of N pairs; positions are seen from the last particle, so that
// little is lost by rounding.
template <int Sort, int N>
PLIANT_INLINE Lane<N> separation(const Vector<N> (&x)[4], const Vector<N>& n) {
    Lane<N> along[4];
    for (int k = 0; k < 3; ++k) along[k] = dot(n, x[k] - x[3]);
    along[3] = Lane<N>(0.0f);
    if constexpr (Sort == 2) return min(along[0], along[1]) - max(along[2], along[3]);
    return along[0] - max(max(along[1], along[2]), along[3]);
}

template <int Sort>
PLIANT_INLINE void find_unsafe_of(UnsafeSearch& r, const std::uint16_t* pairs, std::uint32_t count) {
    constexpr int N = wide;
    const Lane<N> one(1.0f), rounding(r.rounding);
    for (std::uint32_t i = 0; i < count; i += lane_count) {
        const std::uint32_t left = count - i;
        Vector<N> p[4], x[4];
        load_pairs<Sort, N>(r.start, r.first, r.second, r.shift, pairs + i, left, p);
        const collision::ClosestPoints<Lane<N>> c = closest<Sort, N>(p);
        load_pairs<Sort, N>(r.position, r.first, r.second, r.shift, pairs + i, left, x);
        const Vector<N> n = c.apart * (one / max(sqrt(c.squared), Lane<N>(1e-20f)));
        const Lane<N> gap = separation<Sort, N>(p, n), now = separation<Sort, N>(x, n);
        const Lane<N> shrunk = max(gap - rounding, Lane<N>(0.5f) * gap);
        Lane<N> least = min(Lane<N>(r.least), shrunk);
        Mask<N> bad = (now < least) & (gap > Lane<N>(0.0f));
        if (!any(bad)) continue;
        if (r.rest) {
            Vector<N> rest[4];
            load_pairs<Sort, N>(r.rest, r.first, r.second, r.shift, pairs + i, left, rest);
            least = min(least, Lane<N>(least_of_rest) * sqrt(closest<Sort, N>(rest).squared));
            bad = bad & (now < least);
        }
        unsigned bits = bits_of(bad);
        if (left < lane_count) bits &= (1u << left) - 1;
        if (bits == 0) continue;
        const Vector<N> shift{Lane<N>(r.shift[0]), Lane<N>(r.shift[1]), Lane<N>(r.shift[2])};
        float normal[3][N], levels[N];
        store<N>(normal[0], n.x), store<N>(normal[1], n.y), store<N>(normal[2], n.z);
        store<N>(levels, Sort == 1 ? least - dot(n, shift) : least + dot(n, shift));
        for (; bits; bits &= bits - 1) {
            const int lane = __builtin_ctz(bits);
            UnsafePair& pair = r.found[r.count];
            for (int k = 0; k < 4; ++k)
                pair.offsets[k] = pair_offset<Sort>(r.first, r.second, pairs[i + unsigned(lane)], k);
            if (are_tangled<Sort>(r.is_tangled, pair.offsets)) continue;
            ++r.count;
            for (int k = 0; k < 3; ++k) pair.normal[k] = normal[k][lane];
            pair.least = levels[lane];
            pair.first_part = first_part<Sort>;
        }
    }
}

PLIANT_ENTRY void find_unsafe(UnsafeSearch& r) {
    const std::uint16_t* pairs = r.pairs;
    find_unsafe_of<0>(r, pairs, r.counts[0]);
    pairs += r.counts[0];
    find_unsafe_of<1>(r, pairs, r.counts[1]);
    pairs += r.counts[1];
    find_unsafe_of<2>(r, pairs, r.counts[2]);
}

}  // namespace pliant::PLIANT_TARGET
