// The direct solve of straight hair: many thin strands, side by side in single precision. Part of
// kernels.cpp, compiled once per instruction set.
//
// Bending, then stretch; each at once for a whole strand, from root to tip and back within the cache. With
// D·x = x₋ − 2x + x₊ of three particles that follow each other, the energy ½·(B/l³)·|D·x|² is quadratic, so
//
//   (m + κ·DᵀD)·dx = −κ·DᵀD·x,   κ = h²·B/l³
//
// a matrix of five diagonals, the same for x, y and z, factored as L·D·Lᵀ. Held particles stay: their pivots
// count as infinite. Then one Newton step for the lengths, a matrix of three diagonals:
//
//   (w_i + w_{i+1} + α̃)·λ_i − w_i(n_{i−1}·n_i)·λ_{i−1} − w_{i+1}(n_i·n_{i+1})·λ_{i+1} = L − |x_{i+1} − x_i|
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
    HairVector y;            // right side, then half-way solution
    HairLane first, second;  // L, one and two rows below
    HairVector n;            // direction of the segment behind
    HairLane length, factor, value;
};
static_assert(sizeof(HairNode) <= strand_scratch_bytes);

PLIANT_INLINE auto hair_offsets(const StrandRun& r, std::size_t node, std::size_t first) {
    const std::uint32_t* offsets = r.offsets + node * block_size + first;
    return [=](int lane) { return offsets[lane]; };
}
// h²B/l³. Beyond the limit, stiffer is no different.
PLIANT_INLINE HairLane hair_stiffness(const StrandRun& r, std::size_t node, std::size_t first,
                                      const HairLane& limit) {
    return min(load<wide>(r.joints + node * rod_joint_values * block_size + first), limit);
}

// κ·(−D·x) at each joint, and what it adds to the right side.
PLIANT_INLINE void pull_hair(const StrandRun& r, std::size_t first, const HairLane& limit, HairNode* nodes) {
    for (std::size_t i = 1; i + 1 < r.nodes; ++i) {
        const HairVector before = nodes[i].x - nodes[i - 1].x, after = nodes[i + 1].x - nodes[i].x;
        const HairVector pull = (before - after) * hair_stiffness(r, i, first, limit);
        nodes[i - 1].y = nodes[i - 1].y + pull;
        nodes[i].y = nodes[i].y - (pull + pull);
        nodes[i + 1].y = nodes[i + 1].y + pull;
    }
}

// Five diagonals, down and up again.
PLIANT_INLINE void bend_hair(const StrandRun& r, std::size_t first, const HairLane& limit, HairNode* nodes) {
    const HairLane none(0.0f), one(1.0f), four(4.0f);
    // Of the rows before: what they take from the diagonal and from the next below.
    HairLane first_before = none, second_before = none, second_of_two = none;  // L
    HairLane diagonal_before = none, diagonal_of_two = none;                   // D
    HairVector y_before{none, none, none}, y_of_two = y_before;
    HairLane k_before = none, k = none;
    for (std::size_t i = 0; i < r.nodes; ++i) {
        HairNode& node = nodes[i];
        const HairLane k_next = i + 2 < r.nodes ? hair_stiffness(r, i + 1, first, limit) : none;
        const auto moves = node.w > none;
        const HairLane inverse_w = select(moves, one / node.w, none);
        const HairLane sum = k + k_next, off = -(sum + sum);
        const HairLane u1 = first_before * diagonal_before, u2 = second_of_two * diagonal_of_two;
        const HairLane diagonal =
            (inverse_w + k_before + four * k + k_next) - first_before * u1 - second_of_two * u2;
        const HairLane inverse = select(moves, one / diagonal, none);
        const HairLane below = off - second_before * u1;
        node.first = below * inverse;
        node.second = k_next * inverse;
        node.y = node.y - y_before * first_before - y_of_two * second_of_two;
        y_of_two = y_before;
        y_before = node.y;
        node.y = node.y * inverse;
        diagonal_of_two = diagonal_before;
        diagonal_before = select(moves, diagonal, none);
        second_of_two = second_before;
        first_before = node.first;
        second_before = node.second;
        k_before = k;
        k = k_next;
    }
    HairVector next{none, none, none}, after_next = next;
    for (std::size_t i = r.nodes; i-- > 0;) {
        HairNode& node = nodes[i];
        const HairVector dx = node.y - next * node.first - after_next * node.second;
        node.x = node.x + dx;
        after_next = next;
        next = dx;
    }
}

// Three diagonals: one Newton step for all lengths.
PLIANT_INLINE void stretch_hair(const StrandRun& r, std::size_t first, HairNode* nodes) {
    const HairLane none(0.0f), one(1.0f);
    HairVector n_before{none, none, none};
    HairLane factor = none, value = none;
    for (std::size_t i = 0; i + 1 < r.nodes; ++i) {
        HairNode& node = nodes[i];
        const HairVector d = nodes[i + 1].x - node.x;
        const HairLane size = sqrt(dot(d, d)), rest = load<wide>(r.rests + i * block_size + first);
        const auto there = (size > none) & (rest > HairLane(-1.0f));  // NaN: no segment
        node.n = d * select(there, one / size, none);
        node.length = select(there, rest, none);
        const HairLane compliance =
            load<wide>(r.compliance + first) + load<wide>(r.compliance_per_measure + first) * node.length;
        const HairLane off = node.w * dot(n_before, node.n);  // minus the entry beside the diagonal
        const HairLane diagonal = (node.w + nodes[i + 1].w) + compliance - off * (off * factor);
        const auto moves = (diagonal > none) & there;
        const HairLane inverse = select(moves, one / diagonal, none);
        value = ((node.length - size) + off * value) * inverse;
        factor = inverse;
        node.value = value;
        node.factor = off;
        node.y.x = inverse;
        n_before = node.n;
    }
    HairLane lambda = none, off_next = none;
    HairVector push{none, none, none};  // of the segment behind, λ·n
    for (std::size_t i = r.nodes; i-- > 0;) {
        HairNode& node = nodes[i];
        HairVector before{none, none, none};
        if (i > 0) {
            HairNode& last = nodes[i - 1];
            lambda = last.value + off_next * last.y.x * lambda;
            off_next = last.factor;
            before = last.n * lambda;
        }
        const HairVector dx = (before - push) * node.w;
        // At most a segment; not at all if it is not a number.
        const HairLane size = dot(dx, dx);
        const HairLane most = max(node.length, i > 0 ? nodes[i - 1].length : none);
        const HairLane scale = select(size > most * most, most / sqrt(size), one);
        const auto good = size < HairLane(1e30f);
        node.x = node.x + select(good, dx * scale, HairVector{none, none, none});
        push = before;
    }
}

PLIANT_INLINE void solve_hair_lanes(const StrandRun& r, std::size_t first, HairNode* nodes) {
    const HairLane none(0.0f);
    HairLane least(1e30f);  // inverse mass, of the heaviest particle
    for (std::size_t i = 0; i < r.nodes; ++i) {
        const ParticleLanes<wide> p = load_particles<wide>(r.particles.position, hair_offsets(r, i, first));
        nodes[i].x = xyz<wide>(p);
        nodes[i].w = p.w;
        nodes[i].y = {none, none, none};
        least = select(p.w > none, min(p.w, least), least);
    }
    nodes[r.nodes - 1].length = none;
    if (!r.is_repeat) {
        // A hundred thousand times the heaviest mass: what single precision can carry.
        const HairLane limit = HairLane(1e5f) / least;
        pull_hair(r, first, limit, nodes);
        bend_hair(r, first, limit, nodes);
    }
    stretch_hair(r, first, nodes);
    for (std::size_t i = r.nodes; i-- > 0;) {
        const HairNode& node = nodes[i];
        store_strands<wide>(r, hair_offsets(r, i, first), first, {node.x.x, node.x.y, node.x.z, node.w});
    }
}

}  // namespace detail

PLIANT_ENTRY void solve_hair(const StrandRun& r) {
    detail::HairNode on_stack[strand_nodes_on_stack];
    detail::HairNode* nodes =
        r.nodes <= strand_nodes_on_stack ? on_stack : static_cast<detail::HairNode*>(r.scratch);
    for (std::size_t first = 0; first < r.strands; first += wide) detail::solve_hair_lanes(r, first, nodes);
}

}  // namespace pliant::PLIANT_TARGET
