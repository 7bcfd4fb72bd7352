// Contacts: which pairs of elements touch, and how they are kept apart. Part of the kernels, compiled once
// per instruction set.
#pragma once

#include "solvers/position_based/contact/pair_kernels.h"

namespace pliant::PLIANT_TARGET {

// A gap that is too narrow opens by at most this share of the distance in a substep.
inline constexpr float opening_share = 0.02f;
// Near a held corner the others have little weight: none is moved further than so many times the depth.
inline constexpr float most_lever = 4;
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
        Contact& contact = r.contacts[r.found];
        for (int k = 0; k < 4; ++k) {
            contact.offsets[k] = pair_offset<Sort>(r.first, r.second, pairs[i], k);
            contact.weights[k] = weights[k][i];
        }
        if (are_tangled<Sort>(r.is_tangled, contact.offsets)) continue;
        ++r.found;
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

// What a contact has pushed so far, without what it opened; and how much of it along its normal.
PLIANT_INLINE void add_push(const ContactRun& r, std::size_t contact, const float (&push)[4],
                            const float (&opening)[4], float along_normal) {
    float* sum = r.pushes + 4 * contact;
    for (int k = 0; k < 3; ++k) sum[k] = sum[k] + (push[k] - opening[k]);
    sum[3] = sum[3] + along_normal;
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
        float masses = 0, least = 0;
        for (int k = 0; k < 4; ++k) {
            x[k] = load_row(r.position, c.offsets[k]);
            sum = sum + x[k] * Row(c.weights[k]);
            float row[4];
            store<4>(row, x[k]);
            masses = masses + row[3] * (c.weights[k] * c.weights[k]);
            const float lever = row[3] * __builtin_fabsf(c.weights[k]) / most_lever;
            least = lever > least ? lever : least;
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
        const float limit = c.friction * depth, share = slipped > limit ? limit / slipped : 1.0f;
        const float per_mass = 1 / (masses > least ? masses : least);
        const float opening = c.opening < depth ? c.opening : depth;
        // The fourth float is the mass: it must stay as it is.
        float pushes[4], openings[4], slips[4];
        store<4>(slips, slip);
        for (int k = 0; k < 3; ++k) {
            pushes[k] = (normals[k] * depth - slips[k] * share) * per_mass;
            openings[k] = normals[k] * opening * per_mass;
        }
        pushes[3] = openings[3] = 0;
        if (r.pushes)
            add_push(r, r.backward ? r.count - 1 - i : i, pushes, openings, (depth - opening) * per_mass);
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
