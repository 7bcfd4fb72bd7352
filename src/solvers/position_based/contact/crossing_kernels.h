// Edges that go through triangles. Part of the kernels, compiled once per instruction set.
#pragma once

#include "solvers/position_based/contact/pair_kernels.h"

namespace pliant::PLIANT_TARGET {

PLIANT_INLINE bool share_particle(const CrossingSearch& r, unsigned edge, unsigned triangle) {
    bool share = false;
    for (const std::uint32_t a : r.first.edges[edge]) {
        for (const std::uint32_t b : r.second.triangles[triangle])
            share |= r.tied[a / bytes_per_particle] == r.tied[b / bytes_per_particle];
    }
    return share;
}

// The ends of an edge are on two sides of the triangle's plane, and its line passes all corners on one side,
// or through them: bodies of equal grids meet so.
template <int N>
PLIANT_INLINE Mask<N> crosses(const Vector<N> (&e)[2], const Vector<N> (&t)[3]) {
    const Lane<N> zero(0.0f);
    const Vector<N> n = cross(t[1] - t[0], t[2] - t[0]), way = e[1] - e[0];
    const Vector<N> a = t[0] - e[0], b = t[1] - e[0], c = t[2] - e[0];
    const Lane<N> begin = dot(n, e[0] - t[0]), end = dot(n, e[1] - t[0]);
    const Lane<N> u = dot(way, cross(a, b)), v = dot(way, cross(b, c)), w = dot(way, cross(c, a));
    const Mask<N> through = ((begin < zero) & (end > zero)) | ((begin > zero) & (end < zero));
    const Mask<N> inside =
        ((u <= zero) & (v <= zero) & (w <= zero)) | ((u >= zero) & (v >= zero) & (w >= zero));
    return through & inside;
}

PLIANT_INLINE std::uint32_t keep_crossing(const CrossingSearch& r, std::uint32_t count) {
    std::uint32_t found = 0;
    for (std::uint32_t i = 0; i < count; i += lane_count) {
        const std::uint32_t left = count - i;
        const auto pair_at = [&](int lane) {
            const std::uint32_t at = static_cast<std::uint32_t>(lane);
            return r.pairs[i + (at < left ? at : left - 1)];
        };
        Vector<wide> e[2], t[3];
        for (unsigned k = 0; k < 2; ++k) {
            e[k] = xyz(load_particles<wide>(r.start,
                                            [&](int lane) { return r.first.edges[pair_at(lane) & 255][k]; }));
        }
        const Vector<wide> shift{Lane<wide>(r.shift[0]), Lane<wide>(r.shift[1]), Lane<wide>(r.shift[2])};
        for (unsigned k = 0; k < 3; ++k) {
            t[k] = xyz(load_particles<wide>(
                       r.start, [&](int lane) { return r.second.triangles[pair_at(lane) >> 8][k]; })) +
                   shift;
        }
        unsigned bits = bits_of(crosses<wide>(e, t));
        if (left < lane_count) bits &= (1u << left) - 1;
        for (; bits; bits &= bits - 1)
            r.pairs[found++] = r.pairs[i + static_cast<unsigned>(__builtin_ctz(bits))];
    }
    return found;
}

PLIANT_ENTRY void find_crossings(CrossingSearch& r) {
    const float none[3] = {0, 0, 0};
    const Box3 near_second = grown(r.second.box, 0, r.shift), near_first = grown(r.first.box, 0, none);
    ElementBoxes first, second;
    find_boxes<2>(
        r.start, none, [&](std::uint32_t i, int k) { return r.first.edges[i][static_cast<unsigned>(k)]; },
        r.first.edge_count, near_second, first);
    find_boxes<3>(
        r.start, r.shift,
        [&](std::uint32_t i, int k) { return r.second.triangles[i][static_cast<unsigned>(k)]; },
        r.second.triangle_count, near_first, second);
    std::uint32_t count = 0;
    for (std::uint32_t a = 0; a < first.count; ++a) {
        const Box3 box = box_at(first, a, 0);
        for (std::uint32_t group = 0; group * 16 < second.count; ++group) {
            unsigned bits = boxes_met(second.groups[group], box);
            const std::uint32_t left = second.count - group * 16;
            if (left < 16) bits &= (1u << left) - 1;
            for (; bits; bits &= bits - 1) {
                const unsigned b = second.numbers[group * 16 + static_cast<unsigned>(__builtin_ctz(bits))];
                if (!share_particle(r, first.numbers[a], b))
                    r.pairs[count++] = static_cast<std::uint16_t>(first.numbers[a] | b << 8);
            }
        }
    }
    r.count = keep_crossing(r, count);
}

}  // namespace pliant::PLIANT_TARGET
