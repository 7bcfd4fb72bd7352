// The inner loops of contact between bodies. Part of kernels.cpp, compiled once per instruction set.
#pragma once

#include "collision/pairs/closest_points.h"
#include "solvers/position_based/contact/contact_runs.h"
#include "solvers/position_based/kernel_basics.h"

namespace pliant::PLIANT_TARGET {

inline constexpr std::uint32_t lane_count = wide;

// Rows of four floats, as particles lie in memory.
using Row = Lane<4>;

PLIANT_INLINE Row load_row(const float* base, std::uint32_t offset) {
    return load<4>(reinterpret_cast<const float*>(reinterpret_cast<const char*>(base) + offset));
}
PLIANT_INLINE void store_row(float* base, std::uint32_t offset, Row row) {
    store<4>(reinterpret_cast<float*>(reinterpret_cast<char*>(base) + offset), row);
}
PLIANT_INLINE float sum_of_three(Row row) {
    float f[4];
    store<4>(f, row);
    return f[0] + f[1] + f[2];
}

PLIANT_ENTRY void find_starts(const StartRun& r) {
    const std::size_t first = r.first * floats_per_particle, end = first + r.count * floats_per_particle;
    for (std::size_t i = first; i < end; i += 16) {
        for (std::size_t k = i; k < i + 16; k += wide)
            store<wide>(r.start + k, load<wide>(r.predicted + k) - load<wide>(r.displacement + k));
    }
}

// Smallest and largest of all that matters of a patch's particles. Neither depends on their order.
PLIANT_ENTRY void move_patch(const PatchMotionRun& r) {
    const Row x = load_row(r.position, r.closure[0]), p = load_row(r.start, r.closure[0]);
    Row low = p, high = p, move_low = x - p, move_high = move_low;
    Row drift_low = p - load_row(r.before, r.closure[0]), drift_high = drift_low;
    for (std::size_t i = 1; i < r.count; ++i) {
        const Row start = load_row(r.start, r.closure[i]);
        const Row move = load_row(r.position, r.closure[i]) - start;
        const Row drift = start - load_row(r.before, r.closure[i]);
        low = min(start, low), high = max(start, high);
        move_low = min(move, move_low), move_high = max(move, move_high);
        drift_low = min(drift, drift_low), drift_high = max(drift, drift_high);
    }
    store<4>(r.motion->low, low), store<4>(r.motion->high, high);
    store<4>(r.motion->move_low, move_low), store<4>(r.motion->move_high, move_high);
    store<4>(r.motion->drift_low, drift_low), store<4>(r.motion->drift_high, drift_high);
}

PLIANT_ENTRY void shape_patch(const PatchShapeRun& r) {
    alignas(64) float normals[3][96], altitudes[96];
    for (std::size_t first = 0; first < r.count; first += wide) {
        Vector<wide> x[3];
        for (unsigned k = 0; k < 3; ++k) {
            x[k] = xyz(load_particles<wide>(r.position, [&](int i) {
                const std::size_t t = first + static_cast<std::size_t>(i);
                return r.triangles[t < r.count ? t : r.count - 1][k];
            }));
        }
        const Vector<wide> a = x[1] - x[0], b = x[2] - x[0], c = x[2] - x[1], n = cross(a, b);
        const Lane<wide> area = dot(n, n), longest = max(dot(a, a), max(dot(b, b), dot(c, c)));
        const Lane<wide> scale = divide_or_zero(Lane<wide>(1.0f), sqrt(area));
        store<wide>(normals[0] + first, n.x * scale), store<wide>(normals[1] + first, n.y * scale);
        store<wide>(normals[2] + first, n.z * scale);
        store<wide>(altitudes + first, divide_or_zero(area, longest));
    }
    float sum[3] = {0, 0, 0};
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t i = 0; i < r.count; ++i) sum[c] = sum[c] + normals[c][i];
    }
    const float squared = sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2];
    const float scale = squared > 0 ? 1 / __builtin_sqrtf(squared) : 0;
    float cosine = 1, altitude = altitudes[0];
    for (std::size_t c = 0; c < 3; ++c) sum[c] = r.shape->axis[c] = sum[c] * scale;
    for (std::size_t i = 0; i < r.count; ++i) {
        const float along = normals[0][i] * sum[0] + normals[1][i] * sum[1] + normals[2][i] * sum[2];
        cosine = along < cosine ? along : cosine;
        altitude = altitudes[i] < altitude ? altitudes[i] : altitude;
    }
    r.shape->cosine = cosine;
    r.shape->altitude = __builtin_sqrtf(altitude);
}

// Which of 16 boxes meet one.
PLIANT_INLINE unsigned boxes_met(const BoxGroup& boxes, const Box3& box) {
    unsigned bits = 0;
    for (int i = 0; i < 16; i += wide) {
        Mask<wide> meets = load<wide>(boxes.low[0] + i) <= Lane<wide>(box.high[0]);
        for (int c = 0; c < 3; ++c) {
            if (c > 0) meets = meets & (load<wide>(boxes.low[c] + i) <= Lane<wide>(box.high[c]));
            meets = meets & (load<wide>(boxes.high[c] + i) >= Lane<wide>(box.low[c]));
        }
        bits |= bits_of(meets) << i;
    }
    return bits;
}
PLIANT_ENTRY unsigned meet_boxes(const BoxGroup& boxes, const Box3& box) { return boxes_met(boxes, box); }

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

// A gap that is too narrow opens by at most this share of the distance in a substep.
inline constexpr float opening_share = 0.02f;
// Of the length of an edge of cloth.
inline constexpr float most_stretch = 1.3f;
// What other contacts may leave open, of the distance.
inline constexpr float touching_share = 0.02f;

template <int Sort, int N>
PLIANT_INLINE void write_contacts(ContactSearch& r, const std::uint16_t* pairs, unsigned bits,
                                  const collision::ClosestPoints<Lane<N>>& c, const Vector<N>& n,
                                  Lane<N> level, Lane<N> opening) {
    float weights[4][N], normal[3][N], levels[N], openings[N];
    for (int k = 0; k < 4; ++k) store<N>(weights[k], c.weights[k]);
    store<N>(normal[0], n.x), store<N>(normal[1], n.y), store<N>(normal[2], n.z);
    store<N>(levels, level), store<N>(openings, opening);
    for (; bits; bits &= bits - 1) {
        const int i = __builtin_ctz(bits);
        Contact& contact = r.contacts[r.found++];
        for (int k = 0; k < 4; ++k) {
            contact.offsets[k] = pair_offset<Sort>(r.first, r.second, pairs[i], k);
            contact.weights[k] = weights[k][i];
        }
        for (int k = 0; k < 3; ++k) contact.normal[k] = normal[k][i];
        contact.level = levels[i];
        contact.opening = openings[i];
        contact.friction = r.friction;
        contact.restitution = r.restitution;
        contact.support = r.first_is_closed && r.second_is_closed ? touching_share * r.distance : -1.0f;
    }
}

// Cloth does not stretch, unless layers have passed through each other and contact holds them on the wrong
// sides: such elements let go.
template <int Sort, int N>
PLIANT_INLINE Mask<N> is_overstretched(const Vector<N> (&x)[4], const Vector<N> (&rest)[4]) {
    const auto is_long = [&](int a, int b) {
        const Vector<N> edge = x[b] - x[a], at_rest = rest[b] - rest[a];
        return dot(edge, edge) > Lane<N>(most_stretch * most_stretch) * dot(at_rest, at_rest);
    };
    if constexpr (Sort == 2) return is_long(0, 1) | is_long(2, 3);
    return is_long(1, 2) | is_long(2, 3) | is_long(3, 1);
}

// The plane between two elements is that of the start of the substep, where they are apart: its side cannot
// be wrong, however far the prediction went through. Only a vertex that was inside a solid already is
// brought out the way its nearest triangle faces.
template <int Sort>
PLIANT_INLINE void find_contacts_of(ContactSearch& r, const std::uint16_t* pairs, std::uint32_t count) {
    constexpr int N = wide;
    const Lane<N> zero(0.0f), one(1.0f), distance(r.distance);
    const bool is_closed = Sort == 0 ? r.second_is_closed : Sort == 1 ? r.first_is_closed : false;
    for (std::uint32_t i = 0; i < count; i += lane_count) {
        const std::uint32_t left = count - i;
        Vector<N> p[4], x[4];
        load_pairs<Sort, N>(r.start, r.first, r.second, r.shift, pairs + i, left, p);
        const collision::ClosestPoints<Lane<N>> c = closest<Sort, N>(p);
        load_pairs<Sort, N>(r.position, r.first, r.second, r.shift, pairs + i, left, x);
        Vector<N> face = Sort == 2 ? cross(p[1] - p[0], p[3] - p[2]) : cross(p[2] - p[1], p[3] - p[1]);
        face = face * divide_or_zero(one, sqrt(dot(face, face)));
        Lane<N> apart = sqrt(c.squared);
        const Mask<N> touching = apart <= Lane<N>(1e-4f) * distance;  // no direction of its own
        Vector<N> n = pliant::select(touching, face, c.apart * (one / max(apart, Lane<N>(1e-20f))));
        if (is_closed) {
            // Only as deep as every list reaches.
            const Mask<N> behind =
                (c.within > zero) & (dot(c.apart, face) < zero) & (apart < Lane<N>(r.distance + r.watched));
            n = pliant::select(behind, face, n);
            apart = select(behind, -apart, apart);
        }
        const Vector<N> now =
            x[0] * c.weights[0] + x[1] * c.weights[1] + x[2] * c.weights[2] + x[3] * c.weights[3];
        const Lane<N> gap = dot(n, now);
        Mask<N> near = gap < Lane<N>(r.distance + r.watched);
        if (Sort == 2 && !r.has_lines) near = near & (c.within > zero);
        if (!any(near)) continue;
        Lane<N> wished = distance;
        if (r.rest) {  // what is near at rest stays as near as it is
            Vector<N> rest[4];
            load_pairs<Sort, N>(r.rest, r.first, r.second, r.shift, pairs + i, left, rest);
            wished = min(wished, Lane<N>(0.9f) * sqrt(closest<Sort, N>(rest).squared));
            if (r.is_sheet) near = near & !is_overstretched<Sort, N>(p, rest);
        }
        const Lane<N> target = min(wished, apart + Lane<N>(opening_share) * distance);
        near = near & (gap < target + Lane<N>(r.watched));
        unsigned bits = bits_of(near);
        if (left < lane_count) bits &= (1u << left) - 1;
        if (bits == 0) continue;
        // Σβx of local positions lacks the shift of the second part, whose weights sum up to −1.
        const Vector<N> shift{Lane<N>(r.shift[0]), Lane<N>(r.shift[1]), Lane<N>(r.shift[2])};
        const Lane<N> level = Sort == 1 ? target - dot(n, shift) : target + dot(n, shift);
        write_contacts<Sort, N>(r, pairs + i, bits, c, n, level, max(target - apart, zero));
    }
}

PLIANT_ENTRY void find_contacts(ContactSearch& r) {
    const std::uint16_t* pairs = r.pairs;
    find_contacts_of<0>(r, pairs, r.counts[0]);
    pairs += r.counts[0];
    find_contacts_of<1>(r, pairs, r.counts[1]);
    pairs += r.counts[1];
    find_contacts_of<2>(r, pairs, r.counts[2]);
}

// One contact after the other: out along the normal, back along the surface by at most friction × depth.
//
//   depth = level − n·Σβx,  W = Σwβ²,  q = Σβ(x − p),  slip = q − n(n·q)
//   push = (n·depth − slip·min(1, μ·depth/|slip|))/W,   xₖ += wₖβₖ·push
//
// What the start p of the substep already lacked is given to p and x* too: it becomes no velocity. What comes
// in fast leaves with the share e of that speed: then n·q becomes −e·n·Σβ(x* − p).
PLIANT_ENTRY void solve_contacts(const ContactRun& r) {
    for (std::size_t i = 0; i < r.count; ++i) {
        const Contact& c = r.contacts[r.backward ? r.count - 1 - i : i];
        const float normals[4] = {c.normal[0], c.normal[1], c.normal[2], 0};
        const Row n = load<4>(normals);
        Row x[4], sum(0.0f);
        float masses = 0;
        for (int k = 0; k < 4; ++k) {
            x[k] = load_row(r.position, c.offsets[k]);
            sum = sum + x[k] * Row(c.weights[k]);
            float row[4];
            store<4>(row, x[k]);
            masses = masses + row[3] * (c.weights[k] * c.weights[k]);
        }
        const float gap = sum_of_three(sum * n);
        float depth = c.level - gap;
        if (c.restitution > 0) {
            Row u(0.0f), q(0.0f);
            for (int k = 0; k < 4; ++k) {
                const Row p = load_row(r.start, c.offsets[k]);
                u = u + (load_row(r.predicted, c.offsets[k]) - p) * Row(c.weights[k]);
                q = q + (x[k] - p) * Row(c.weights[k]);
            }
            const float approach = sum_of_three(u * n);
            const float back = -(c.restitution * approach) - sum_of_three(q * n);
            if (depth > 0 && approach < -r.resting_step && back > depth) depth = back;
        }
        if (!(depth > 0) || !(masses > 0)) continue;
        Row q(0.0f);
        for (int k = 0; k < 4; ++k) q = q + (x[k] - load_row(r.start, c.offsets[k])) * Row(c.weights[k]);
        const Row slip = q - n * Row(sum_of_three(q * n));
        const float slipped = __builtin_sqrtf(sum_of_three(slip * slip));
        const float limit = c.friction * depth;
        const float share = slipped > limit ? limit / slipped : 1.0f;
        const float per_mass = 1 / masses;
        const float opening = c.opening < depth ? c.opening : depth;
        // The fourth float is the mass: it must stay as it is.
        float pushes[4], openings[4], slips[4];
        store<4>(slips, slip);
        for (int k = 0; k < 3; ++k) {
            pushes[k] = (normals[k] * depth - slips[k] * share) * per_mass;
            openings[k] = normals[k] * opening * per_mass;
        }
        pushes[3] = openings[3] = 0;
        const Row push = load<4>(pushes), open = load<4>(openings);
        for (int k = 0; k < 4; ++k) {
            const Row now = load_row(r.position, c.offsets[k]);  // the same particle may be in it twice
            float row[4];
            store<4>(row, now);
            const Row weight(row[3] * c.weights[k]);
            store_row(r.position, c.offsets[k], now + weight * push);
            if (!(opening > 0)) continue;
            store_row(r.predicted, c.offsets[k], load_row(r.predicted, c.offsets[k]) + weight * open);
            store_row(r.start, c.offsets[k], load_row(r.start, c.offsets[k]) + weight * open);
        }
    }
}

}  // namespace pliant::PLIANT_TARGET
