// The search for pairs of elements that are near each other. Part of the kernels, compiled once per
// instruction set.
#pragma once

#include "collision/pairs/closest_points.h"
#include "solvers/position_based/contact/patch_kernels.h"

namespace pliant::PLIANT_TARGET {

// The boxes of up to 64 elements, and the numbers of those that are near the other patch.
struct ElementBoxes {
    BoxGroup groups[4];
    std::uint8_t numbers[64];
    std::uint32_t count = 0;
};

template <int Arity, class Offsets>
PLIANT_INLINE void find_boxes(const float* start, const float* shift, Offsets offsets, std::uint32_t count,
                              const Box3& near, ElementBoxes& result) {
    result.count = 0;
    alignas(64) float lows[3][16], highs[3][16];
    for (std::uint32_t first = 0; first < count; first += lane_count) {
        Vector<wide> low, high;
        for (int k = 0; k < Arity; ++k) {
            const Vector<wide> x = xyz(load_particles<wide>(start, [&](int i) {
                const std::uint32_t e = first + static_cast<std::uint32_t>(i);
                return offsets(e < count ? e : count - 1, k);
            }));
            low = k == 0 ? x : Vector<wide>{min(x.x, low.x), min(x.y, low.y), min(x.z, low.z)};
            high = k == 0 ? x : Vector<wide>{max(x.x, high.x), max(x.y, high.y), max(x.z, high.z)};
        }
        const Lane<wide> l[3] = {low.x + Lane<wide>(shift[0]), low.y + Lane<wide>(shift[1]),
                                 low.z + Lane<wide>(shift[2])};
        const Lane<wide> h[3] = {high.x + Lane<wide>(shift[0]), high.y + Lane<wide>(shift[1]),
                                 high.z + Lane<wide>(shift[2])};
        Mask<wide> meets = l[0] <= h[0];
        for (int c = 0; c < 3; ++c) {
            store<wide>(lows[c], l[c]), store<wide>(highs[c], h[c]);
            meets = meets & (l[c] <= Lane<wide>(near.high[c])) & (h[c] >= Lane<wide>(near.low[c]));
        }
        unsigned bits = bits_of(meets);
        if (count - first < lane_count) bits &= (1u << (count - first)) - 1;
        for (; bits; bits &= bits - 1) {
            const int lane = __builtin_ctz(bits);
            BoxGroup& group = result.groups[result.count / 16];
            for (int c = 0; c < 3; ++c) {
                group.low[c][result.count % 16] = lows[c][lane];
                group.high[c][result.count % 16] = highs[c][lane];
            }
            result.numbers[result.count++] = static_cast<std::uint8_t>(first + static_cast<unsigned>(lane));
        }
    }
}

PLIANT_INLINE Box3 grown(const Box3& box, float by, const float* shift) {
    Box3 result;
    for (int c = 0; c < 3; ++c) {
        result.low[c] = box.low[c] + shift[c] - by;
        result.high[c] = box.high[c] + shift[c] + by;
    }
    return result;
}

PLIANT_INLINE Box3 box_at(const ElementBoxes& boxes, std::uint32_t i, float grow) {
    Box3 box;
    for (int c = 0; c < 3; ++c) {
        box.low[c] = boxes.groups[i / 16].low[c][i % 16] - grow;
        box.high[c] = boxes.groups[i / 16].high[c][i % 16] + grow;
    }
    return box;
}

PLIANT_INLINE std::uint32_t tie_of(const PairSearch& r, std::uint32_t offset) {
    return r.tied[offset / bytes_per_particle];
}

// The four particles of a pair of elements, the second part last.
template <int Sort>
PLIANT_INLINE std::uint32_t pair_offset(const PatchElements& first, const PatchElements& second,
                                        unsigned pair, int k) {
    const unsigned a = pair & 255, b = pair >> 8;
    if constexpr (Sort == 0)
        return k == 0 ? first.vertices[a] : second.triangles[b][static_cast<unsigned>(k - 1)];
    if constexpr (Sort == 1)
        return k == 0 ? second.vertices[b] : first.triangles[a][static_cast<unsigned>(k - 1)];
    return k < 2 ? first.edges[a][static_cast<unsigned>(k)] : second.edges[b][static_cast<unsigned>(k - 2)];
}
template <int Sort>
constexpr int first_part = Sort == 2 ? 2 : 1;  // how many of the four are of the first part

// What is through each other has no right side: both parts of such a pair have a particle that is tangled.
template <int Sort>
PLIANT_INLINE bool are_tangled(const std::uint8_t* is_tangled, const std::uint32_t (&offsets)[4]) {
    if (!is_tangled) return false;
    bool parts[2] = {false, false};
    for (int k = 0; k < 4; ++k)
        parts[k < first_part<Sort> ? 0 : 1] |= is_tangled[offsets[k] / bytes_per_particle] != 0;
    return parts[0] && parts[1];
}

template <int Sort>
PLIANT_INLINE bool is_tied(const PairSearch& r, unsigned pair) {
    std::uint32_t ties[4];
    for (int k = 0; k < 4; ++k) ties[k] = tie_of(r, pair_offset<Sort>(r.first, r.second, pair, k));
    bool tied = false;
    for (int i = 0; i < first_part<Sort>; ++i) {
        for (int k = first_part<Sort>; k < 4; ++k) tied |= ties[i] == ties[k];
    }
    return tied;
}

// The particles of N pairs, seen from the first patch's island.
template <int Sort, int N>
PLIANT_INLINE void load_pairs(const float* positions, const PatchElements& first, const PatchElements& second,
                              const float* shift, const std::uint16_t* pairs, std::size_t count,
                              Vector<N> (&x)[4]) {
    for (int k = 0; k < 4; ++k) {
        x[k] = xyz(load_particles<N>(positions, [&](int i) {
            const std::size_t last = count - 1, at = static_cast<std::size_t>(i);
            return pair_offset<Sort>(first, second, pairs[at < last ? at : last], k);
        }));
        const bool is_second = Sort == 1 ? k == 0 : k >= first_part<Sort>;
        if (is_second) x[k] = x[k] + Vector<N>{Lane<N>(shift[0]), Lane<N>(shift[1]), Lane<N>(shift[2])};
    }
}

template <int Sort, int N>
PLIANT_INLINE collision::ClosestPoints<Lane<N>> closest(const Vector<N> (&x)[4]) {
    if constexpr (Sort == 2) {
        return collision::closest_of_edges(x[0], x[1], x[2], x[3]);
    } else {
        return collision::closest_of_vertex_and_triangle(x[0], x[1], x[2], x[3]);
    }
}

// Of candidates those that are near; gives their number. The list may be the candidates themselves.
template <int Sort>
PLIANT_INLINE std::uint32_t keep_near(const PairSearch& r, const std::uint16_t* candidates,
                                      std::uint32_t count, std::uint16_t* kept, Lane<wide>& nearest) {
    std::uint32_t found = 0;
    for (std::uint32_t i = 0; i < count; i += lane_count) {
        Vector<wide> x[4];
        const std::uint32_t left = count - i;
        load_pairs<Sort, wide>(r.start, r.first, r.second, r.shift, candidates + i, left, x);
        const Lane<wide> squared = closest<Sort, wide>(x).squared;
        const Mask<wide> near = squared < Lane<wide>(r.within) * Lane<wide>(r.within);
        unsigned bits = bits_of(near);
        if (left < lane_count) bits &= (1u << left) - 1;
        if (bits == 0) continue;
        nearest = min(select(near, squared, nearest), nearest);
        for (; bits; bits &= bits - 1)
            kept[found++] = candidates[i + static_cast<unsigned>(__builtin_ctz(bits))];
    }
    return found;
}

// Pairs of elements whose boxes meet, without those that share a particle.
template <int Sort>
PLIANT_INLINE std::uint32_t find_candidates(const PairSearch& r, const ElementBoxes& first,
                                            const ElementBoxes& second, std::uint16_t* candidates) {
    std::uint32_t count = 0;
    for (std::uint32_t a = 0; a < first.count; ++a) {
        const Box3 box = box_at(first, a, r.within);
        for (std::uint32_t group = 0; group * 16 < second.count; ++group) {
            unsigned bits = boxes_met(second.groups[group], box);
            const std::uint32_t left = second.count - group * 16;
            if (left < 16) bits &= (1u << left) - 1;
            for (; bits; bits &= bits - 1) {
                const unsigned b = second.numbers[group * 16 + static_cast<unsigned>(__builtin_ctz(bits))];
                const unsigned pair = first.numbers[a] | b << 8;
                if (Sort == 2 && r.is_same && b <= first.numbers[a]) continue;
                if (!is_tied<Sort>(r, pair)) candidates[count++] = static_cast<std::uint16_t>(pair);
            }
        }
    }
    return count;
}

PLIANT_ENTRY void search_pairs(PairSearch& r) {
    const float none[3] = {0, 0, 0};
    const Box3 near_second = grown(r.second.box, r.within, r.shift),
               near_first = grown(r.first.box, r.within, none);
    const auto vertices_of = [](const PatchElements& e) {
        return [&e](std::uint32_t i, int) { return e.vertices[i]; };
    };
    const auto edges_of = [](const PatchElements& e) {
        return [&e](std::uint32_t i, int k) { return e.edges[i][static_cast<unsigned>(k)]; };
    };
    const auto triangles_of = [](const PatchElements& e) {
        return [&e](std::uint32_t i, int k) { return e.triangles[i][static_cast<unsigned>(k)]; };
    };
    Lane<wide> nearest(r.within * r.within);
    std::uint16_t* pairs = r.pairs;
    ElementBoxes first, second;
    find_boxes<1>(r.start, none, vertices_of(r.first), r.first.vertex_count, near_second, first);
    find_boxes<3>(r.start, r.shift, triangles_of(r.second), r.second.triangle_count, near_first, second);
    pairs += r.counts[0] =
        keep_near<0>(r, pairs, find_candidates<0>(r, first, second, pairs), pairs, nearest);
    r.counts[1] = 0;
    if (!r.is_same) {
        find_boxes<3>(r.start, none, triangles_of(r.first), r.first.triangle_count, near_second, first);
        find_boxes<1>(r.start, r.shift, vertices_of(r.second), r.second.vertex_count, near_first, second);
        pairs += r.counts[1] =
            keep_near<1>(r, pairs, find_candidates<1>(r, first, second, pairs), pairs, nearest);
    }
    find_boxes<2>(r.start, none, edges_of(r.first), r.first.edge_count, near_second, first);
    find_boxes<2>(r.start, r.shift, edges_of(r.second), r.second.edge_count, near_first, second);
    r.counts[2] = keep_near<2>(r, pairs, find_candidates<2>(r, first, second, pairs), pairs, nearest);
    float lanes[wide];
    store<wide>(lanes, nearest);
    float smallest = lanes[0];
    for (int i = 1; i < wide; ++i) smallest = lanes[i] < smallest ? lanes[i] : smallest;
    r.nearest = __builtin_sqrtf(smallest);
}

}  // namespace pliant::PLIANT_TARGET
