// The direct solve of straight hair: many thin strands, side by side in single precision. Part of
// the kernels, compiled once per instruction set.
//
// Bending, then stretch; each at once for a whole strand. With D·x = x₋ − 2x + x₊ of three particles that
// follow each other, the energy ½·(B/l³)·|D·x|² is quadratic, so
//
//   (m + κ·DᵀD)·dx = −κ·DᵀD·x,   κ = h²·B/l³
//
// a matrix of five diagonals, the same for x, y and z, and the same in all substeps of a frame: it is
// factored as L·D·Lᵀ in the first. Held particles stay: their pivots count as infinite. Then one Newton step
// for the lengths, a matrix of three diagonals:
//
//   (w_i + w_{i+1} + α̃)·λ_i − w_i(n_{i−1}·n_i)·λ_{i−1} − w_{i+1}(n_i·n_{i+1})·λ_{i+1} = L − |x_{i+1} − x_i|
//
// Three passes, all in the first cache: to the tip, bending forward; to the root, bending back and stretch
// forward, eliminated from the tip; to the tip, stretch back.
//
// One after the other is wrong by h²ω² where tension bends a strand, ω: how fast it would swing by bending
// alone. Of hair that is a few thousandths. A move for the lengths is at most a segment long.
//
// Curls are left to rod_kernels.h. A target for D·x that turns with the segment before it was tried here:
// such forces have no energy, and a curl of 36° a joint shakes itself to pieces within 0.1 s.
#pragma once

#include "solvers/position_based/strands/rod_joint.h"
#include "solvers/position_based/strands/strand_kernels.h"

namespace pliant::PLIANT_TARGET {
namespace detail {

using HairLane = Lane<wide>;
using HairVector = Vector3<HairLane>;

struct HairNode {
    HairVector x;
    HairLane w;
    // Half-way solution of bending; then the direction of the segment behind.
    HairVector y;
    // Of the segment behind: rest length; λ as if those nearer to the root had none, and what they add to it.
    HairLane length, value, share;
};
static_assert(sizeof(HairNode) <= strand_scratch_bytes);

PLIANT_INLINE auto hair_offsets(const StrandRun& r, std::size_t node, std::size_t first) {
    const std::uint32_t* offsets = r.offsets + node * block_size + first;
    return [=](int lane) { return offsets[lane]; };
}
// Of a joint: 0 is κ; of its row 1, 2 are L one and two rows below, 3 is 1/D; 4 is κ, limited.
PLIANT_INLINE float* hair_joint(const StrandRun& r, std::size_t node, std::size_t first, std::size_t value) {
    return r.joints + (node * rod_joint_values + value) * block_size + first;
}

// A hundred thousand times the heaviest mass is what single precision can carry: beyond, stiffer is no
// different.
PLIANT_INLINE HairLane hair_limit(const StrandRun& r, std::size_t first) {
    HairLane least(1e30f);
    for (std::size_t i = 0; i < r.nodes; ++i) {
        const HairLane w = load_particles<wide>(r.particles.position, hair_offsets(r, i, first)).w;
        least = select(w > HairLane(0.0f), min(w, least), least);
    }
    return HairLane(1e5f) / least;
}

// Five diagonals.
PLIANT_INLINE void factor_hair(const StrandRun& r, std::size_t first) {
    const HairLane none(0.0f), one(1.0f), four(4.0f), limit = hair_limit(r, first);
    // Of the rows before: L, D.
    HairLane first_before = none, second_before = none, second_of_two = none;
    HairLane diagonal_before = none, diagonal_of_two = none;
    HairLane k_before = none, k = none;
    for (std::size_t i = 0; i < r.nodes; ++i) {
        const HairLane k_next =
            i + 2 < r.nodes ? min(load<wide>(hair_joint(r, i + 1, first, 0)), limit) : none;
        const HairLane w = load_particles<wide>(r.particles.position, hair_offsets(r, i, first)).w;
        const auto moves = w > none;
        const HairLane mass = select(moves, one / w, none);
        const HairLane sum = k + k_next, off = -(sum + sum);
        const HairLane u1 = first_before * diagonal_before, u2 = second_of_two * diagonal_of_two;
        const HairLane diagonal =
            (mass + k_before + four * k + k_next) - first_before * u1 - second_of_two * u2;
        const HairLane inverse = select(moves, one / diagonal, none);
        const HairLane below = (off - second_before * u1) * inverse, second_below = k_next * inverse;
        store<wide>(hair_joint(r, i, first, 4), k);
        store<wide>(hair_joint(r, i, first, 1), below);
        store<wide>(hair_joint(r, i, first, 2), second_below);
        store<wide>(hair_joint(r, i, first, 3), inverse);
        diagonal_of_two = diagonal_before;
        diagonal_before = select(moves, diagonal, none);
        second_of_two = second_before;
        first_before = below;
        second_before = second_below;
        k_before = k;
        k = k_next;
    }
}

PLIANT_INLINE void load_hair(const StrandRun& r, std::size_t i, std::size_t first, HairNode& node) {
    const ParticleLanes<wide> p = load_particles<wide>(r.particles.position, hair_offsets(r, i, first));
    node.x = xyz<wide>(p);
    node.w = p.w;
}

// To the tip: κ·(−D·x) at each joint, what it adds to the right side, and the way forward through that.
PLIANT_INLINE void pull_hair(const StrandRun& r, std::size_t first, HairNode* nodes) {
    const HairLane none(0.0f);
    const HairVector nothing{none, none, none};
    HairVector pull_before = nothing, pull = nothing;  // of joints i − 1 and i
    HairVector y_before = nothing, y_of_two = nothing;
    HairLane first_before = none, second_before = none, second_of_two = none;
    load_hair(r, 0, first, nodes[0]);
    load_hair(r, 1, first, nodes[1]);
    HairVector segment = nodes[1].x - nodes[0].x;
    for (std::size_t i = 0; i < r.nodes; ++i) {
        HairVector pull_next = nothing;
        if (i + 2 < r.nodes) {
            load_hair(r, i + 2, first, nodes[i + 2]);
            const HairVector after = nodes[i + 2].x - nodes[i + 1].x;
            pull_next = (segment - after) * load<wide>(hair_joint(r, i + 1, first, 4));
            segment = after;
        }
        const HairVector right = pull_before - (pull + pull) + pull_next;
        const HairVector y = right - y_before * first_before - y_of_two * second_of_two;
        nodes[i].y = y * load<wide>(hair_joint(r, i, first, 3));
        y_of_two = y_before;
        y_before = y;
        second_of_two = second_before;
        first_before = load<wide>(hair_joint(r, i, first, 1));
        second_before = load<wide>(hair_joint(r, i, first, 2));
        pull_before = pull;
        pull = pull_next;
    }
}

// What is known of the segment behind a node while segments are eliminated from the tip.
struct HairSegment {
    HairVector n{HairLane(0.0f), HairLane(0.0f), HairLane(0.0f)};
    HairLane inverse{0.0f}, value{0.0f};
};

PLIANT_INLINE void stretch_segment(const StrandRun& r, std::size_t i, std::size_t first, HairSegment& behind,
                                   HairNode& node, HairNode& next) {
    const HairLane none(0.0f), one(1.0f);
    const HairVector d = next.x - node.x;
    const HairLane square = dot(d, d), rest = load<wide>(r.rests + i * block_size + first);
    const auto there = (square > none) & (rest > HairLane(-1.0f));  // NaN: no segment
    const HairLane inverse_size = select(there, one / sqrt(square), none);
    const HairVector n = d * inverse_size;
    const HairLane length = select(there, rest, none), size = square * inverse_size;
    const HairLane compliance =
        load<wide>(r.compliance + first) + load<wide>(r.compliance_per_measure + first) * length;
    const HairLane off = next.w * dot(n, behind.n);  // minus the entry beside the diagonal
    const HairLane taken = off * behind.inverse;
    const HairLane diagonal = (node.w + next.w) + compliance - off * taken;
    const auto moves = (diagonal > none) & there;
    const HairLane inverse = select(moves, one / diagonal, none);
    behind.value = ((length - size) + off * behind.value) * inverse;
    behind.inverse = inverse;
    behind.n = n;
    node.y = n;
    node.length = length;
    node.value = behind.value;
    next.share = taken;
}

// To the root: bending back, if it is not done yet, and segments eliminated from the tip.
template <bool Bends>
PLIANT_INLINE void bend_and_stretch_hair(const StrandRun& r, std::size_t first, HairNode* nodes) {
    const HairLane none(0.0f);
    HairVector next{none, none, none}, after_next = next;
    HairSegment behind;
    for (std::size_t i = r.nodes; i-- > 0;) {
        HairNode& node = nodes[i];
        if constexpr (Bends) {
            const HairVector dx = node.y - after_next * load<wide>(hair_joint(r, i, first, 2)) -
                                  next * load<wide>(hair_joint(r, i, first, 1));
            node.x = node.x + dx;
            after_next = next;
            next = dx;
        } else {
            load_hair(r, i, first, node);
        }
        if (i + 1 < r.nodes) stretch_segment(r, i, first, behind, node, nodes[i + 1]);
    }
}

// To the tip: λ of each segment, and the moves. At most a segment; not at all if it is not a number.
template <bool Stores>
PLIANT_INLINE void stretch_back(const StrandRun& r, std::size_t first, HairNode* nodes) {
    const HairLane none(0.0f);
    const HairVector nothing{none, none, none};
    nodes[0].share = none;
    HairLane lambda = none, length_before = none;
    HairVector push_before = nothing;  // λ·n of the segment before
    for (std::size_t i = 0; i < r.nodes; ++i) {
        HairNode& node = nodes[i];
        const bool is_last = i + 1 == r.nodes;
        HairVector push = nothing;
        if (!is_last) {
            lambda = node.value + node.share * lambda;
            push = node.y * lambda;
        }
        HairVector dx = (push_before - push) * node.w;
        const HairLane square = dot(dx, dx), length = is_last ? none : node.length;
        const HairLane most = max(length, length_before);
        if (const auto good = square <= most * most; any(!good)) {
            const HairLane scale = select(square < HairLane(1e30f), most / sqrt(square), none);
            dx = select(good, dx, select(scale > none, dx * scale, nothing));
        }
        node.x = node.x + dx;
        if constexpr (Stores)
            store_particles<wide>(r.particles.position, hair_offsets(r, i, first),
                                  {node.x.x, node.x.y, node.x.z, node.w});
        push_before = push;
        length_before = length;
    }
}

// Whether there is a strand in every lane, and all are equally long.
PLIANT_INLINE bool are_even(const StrandRun& r, std::size_t first) {
    const std::uint32_t *last = r.offsets + (r.nodes - 1) * block_size + first, *before = last - block_size;
    bool even = first + wide <= r.strands;
    for (int k = 0; k < wide; ++k) even = even & (last[k] != before[k]);
    return even;
}

PLIANT_INLINE void solve_hair_lanes(const StrandRun& r, std::size_t first, HairNode* nodes) {
    if (r.is_repeat) {
        bend_and_stretch_hair<false>(r, first, nodes);
    } else {
        if (r.is_first_substep) factor_hair(r, first);
        pull_hair(r, first, nodes);
        bend_and_stretch_hair<true>(r, first, nodes);
    }
    if (are_even(r, first)) {
        stretch_back<true>(r, first, nodes);
        return;
    }
    stretch_back<false>(r, first, nodes);
    // The last particle of a strand fills the lanes of longer ones: the last visit counts.
    for (std::size_t i = r.nodes; i-- > 0;) {
        const HairNode& node = nodes[i];
        store_strands<wide>(r, hair_offsets(r, i, first), first, {node.x.x, node.x.y, node.x.z, node.w});
    }
}

}  // namespace detail

PLIANT_ENTRY void solve_hair(const StrandRun& r) {
    // Bytes: nodes would be cleared, which takes a fifth of the time.
    alignas(detail::HairNode) unsigned char on_stack[strand_nodes_on_stack * sizeof(detail::HairNode)];
    auto* nodes = static_cast<detail::HairNode*>(r.nodes <= strand_nodes_on_stack ? on_stack : r.scratch);
    for (std::size_t first = 0; first < r.strands; first += wide) detail::solve_hair_lanes(r, first, nodes);
}

}  // namespace pliant::PLIANT_TARGET
