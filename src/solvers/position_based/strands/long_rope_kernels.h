// The direct solve of one long rope, cut in sixteen pieces that lie side by side in the lanes. Part of
// the kernels, compiled once per instruction set.
//
//   piece 0        joints    piece 1        joints    …     piece 15
//   o─o─o─ … ─o ── O ── O ── o─o─o─ … ─o ── O ── O ── …     Two or three particles between pieces are joints.
//
// A piece is eliminated with what it does to the joints at both its ends; the joints are solved, one after
// the other (long_rope_joints.h); then the pieces again, from their joints. All in single precision but the
// joints, in a form that only adds and multiplies positive numbers: no digits are lost on the way along a
// rope.
//
// Tension T resists turning (strand_kernels.h). Here that comes first, and by itself: with T of the last
// substep, each link is a spring of no length and of the stiffness k = T/l, which pulls with T, l = L + α̃·T,
//
//   (m + Lᵏ)·dx = −Lᵏ·x,   (Lᵏ·x)ᵢ = kᵢ₋₁·(xᵢ − xᵢ₋₁) + kᵢ·(xᵢ − xᵢ₊₁)
//
// three diagonals, the same for x, y and z. Then one Newton step for what is left of the lengths,
//
//   (wᵢ + wᵢ₊₁ + α̃)·λᵢ − wᵢ(nᵢ₋₁·nᵢ)·λᵢ₋₁ − wᵢ₊₁(nᵢ·nᵢ₊₁)·λᵢ₊₁ = |xᵢ₊₁ − xᵢ| − L − α̃·T
//
// and T + λ is the tension. A wrong T is no error, but where λ is much more than T that step goes sideways
// too far: then all is done again from the start with T + λ. If that does not find the lengths,
// strand_kernels.h solves this substep.
#pragma once

#include "solvers/position_based/strands/long_rope_joints.h"

namespace pliant::PLIANT_TARGET {
namespace detail {

using RopeLane = Lane<wide>;
using RopeVector = Vector3<RopeLane>;

// A particle and the link behind it.
struct RopeNode {
    RopeVector x;
    RopeLane w;
    RopeVector y;  // half-way step of springs; then the direction of the link
    // Of the springs: what the next particle's and the left joint's step add to its own. Of the lengths: λ as
    // if the link before and the right joint's had none, and what those add to it.
    RopeLane next, joint, share;
};
static_assert(sizeof(RopeNode) * (block_size / wide) <= long_rope_scratch_bytes);

PLIANT_INLINE auto rope_offsets(const StrandRun& r, std::size_t node, std::size_t first) {
    const std::uint32_t* offsets = r.offsets + node * block_size + first;
    return [=](int lane) { return offsets[lane]; };
}
PLIANT_INLINE RopeVector load_ends(const VectorPerPiece& v, std::size_t first) {
    return {load<wide>(v.x + first), load<wide>(v.y + first), load<wide>(v.z + first)};
}
PLIANT_INLINE void store_ends(VectorPerPiece& to, std::size_t first, const RopeVector& v) {
    store<wide>(to.x + first, v.x);
    store<wide>(to.y + first, v.y);
    store<wide>(to.z + first, v.z);
}
PLIANT_INLINE RopeLane load_link(const float* of, std::size_t node, std::size_t first) {
    return load<wide>(of + node * block_size + first);
}
// What has decayed that far counts as nothing: tinier numbers are slow.
PLIANT_INLINE RopeLane without_dust(const RopeLane& a) {
    return select(abs(a) > RopeLane(1e-25f), a, RopeLane(0.0f));
}

// To the right: springs, eliminated. Gives the least inverse mass of what moves.
PLIANT_INLINE RopeLane eliminate_springs(const StrandRun& r, std::size_t rows, std::size_t first,
                                         RopeNode* nodes, PieceEnds& ends) {
    const RopeLane none(0.0f), one(1.0f);
    const RopeLane stretch = load<wide>(r.compliance + first),
                   per_length = load<wide>(r.compliance_per_measure + first);
    RopeLane least(1e30f), left_mass = none, mass = none;
    RopeLane before = load<wide>(ends.left_stiffness + first), spring = before;  // spring: to the left joint
    const ParticleLanes<wide> start = load_particles<wide>(r.particles.position, rope_offsets(r, 0, first));
    RopeVector x = xyz<wide>(start), pull = (x - load_ends(ends.left_x, first)) * before, y{none, none, none};
    RopeVector left_pull = pull;
    RopeLane w = start.w;
    for (std::size_t i = 0; i < rows; ++i) {
        const ParticleLanes<wide> p =
            load_particles<wide>(r.particles.position, rope_offsets(r, i + 1, first));
        const RopeVector next = xyz<wide>(p);
        const RopeLane rest = load_link(r.rests, i, first);
        const RopeLane tension = max(load_link(r.multipliers, i, first), none);
        const RopeLane stretched = rest + (stretch + per_length * rest) * tension;
        const RopeLane k = r.is_repeat ? none : select(rest > none, tension / stretched, none);
        const RopeVector own = (next - x) * k;
        const auto moves = w > none;
        least = select(moves, min(w, least), least);
        mass = mass + select(moves, one / w, none);
        const RopeLane inverse = select(moves, one / (mass + spring + k), none);
        const RopeLane ground = select(moves, mass * inverse, one);
        y = y + (own - pull);
        RopeNode& node = nodes[i];
        node.x = x;
        node.w = w;
        node.y = y * inverse;
        node.next = k * inverse;
        node.joint = spring * inverse;
        left_mass = left_mass + spring * ground;
        left_pull = left_pull + y * node.joint;
        mass = k * ground;
        spring = without_dust(spring * node.next);
        y = y * node.next;
        pull = own;
        x = next;
        w = p.w;
    }
    store<wide>(ends.left_mass + first, left_mass);
    store<wide>(ends.right_mass + first, mass);
    store<wide>(ends.spring + first, spring);
    store_ends(ends.left_pull, first, left_pull);
    store_ends(ends.right_pull, first, y - pull);
    return least;
}

// Links while they are eliminated from the right.
struct RopeElimination {
    RopeVector n;                        // of the link before (to the right)
    RopeLane give, inverse, value, far;  // of it: mobility of its far end with α̃, 1/D, b; the joint's share
    Mask<wide> is_there;
    RopeLane far_give, far_value;  // what the right joint's link gets
};

// One more link, from a to b. Gives its λ as if those not eliminated yet had none, and the joint's share.
struct RopeLink {
    RopeVector n;
    RopeLane value, joint, share;  // share: what this link adds to the one eliminated before it
};
PLIANT_INLINE RopeLink eliminate_link(const RopeVector& e, const RopeLane& wa, const RopeLane& wb,
                                      const RopeLane& rest, const RopeLane& compliance,
                                      const RopeLane& tension, bool is_first, RopeElimination& state) {
    const RopeLane none(0.0f), one(1.0f);
    const RopeLane square = dot(e, e), size = sqrt(square);
    auto there = (square > none) & (rest > none);  // NaN: no link
    const RopeVector n = e * select(there, one / size, none);
    // 1 − cos² without loss of digits.
    const RopeVector turn = state.n - n;
    const RopeLane turned = dot(turn, turn), sine = turned * (one - RopeLane(0.25f) * turned);
    const RopeLane off = wb * dot(n, state.n);
    RopeLink link;
    link.n = n;
    link.share = off * state.inverse;
    RopeLane give = wb, far = off, value = select(there, size - rest - compliance * tension, none);
    if (!is_first) {
        give = select(state.is_there, wb * (state.give + wb * sine) * state.inverse, wb);
        far = without_dust(link.share * state.far);
        value = value + link.share * state.value;
    }
    const RopeLane along = give + compliance, diagonal = along + wa;
    there = there & (diagonal > none);
    state.inverse = select(there, one / diagonal, none);
    state.n = n;
    state.give = along;
    state.value = value;
    state.far = select(there, far, none);
    state.is_there = there;
    link.value = value * state.inverse;
    link.joint = state.far * state.inverse;
    state.far_give = state.far_give + state.far * link.joint;
    state.far_value = state.far_value + state.far * link.value;
    return link;
}

// Ends in one point are parted, as in strand_kernels.h.
PLIANT_INLINE RopeVector parted(const RopeVector& e, const RopeLane& rest, std::size_t row) {
    const RopeLane none(0.0f), by(row % 2 ? 1e-3f : -1e-3f);
    const RopeLane apart = select((rest > none) & !(dot(e, e) > none), rest * by, none);
    return {e.x + apart * RopeLane(0.6f), e.y, e.z + apart * RopeLane(0.8f)};
}

// To the left: steps of the springs, and links, eliminated.
PLIANT_INLINE void eliminate_links(const StrandRun& r, std::size_t rows, std::size_t first, RopeLane held,
                                   RopeNode* nodes, PieceEnds& ends) {
    const RopeLane none(0.0f);
    const RopeLane stretch = load<wide>(r.compliance + first),
                   per_length = load<wide>(r.compliance_per_measure + first);
    const auto compliance = [&](const RopeLane& rest) __attribute__((always_inline)) {
        return stretch + per_length * select(rest > none, rest, none);
    };
    const auto movable = [&](const RopeLane& w) __attribute__((always_inline)) {
        return select(w > none, w, held);
    };
    RopeElimination state{load_ends(ends.right_n, first), none, none, none, none, none > none, none, none};
    RopeVector next = load_ends(ends.right_x, first), step = load_ends(ends.right_step, first);
    const RopeVector left_step = load_ends(ends.left_step, first);
    RopeLane w = movable(load<wide>(ends.right_w + first));
    for (std::size_t i = rows; i-- > 0;) {
        RopeNode& node = nodes[i];
        step = node.y + step * node.next + left_step * node.joint;
        node.x = node.x + step;
        const RopeLane rest = load_link(r.rests, i, first), own = movable(node.w);
        const RopeLane tension =
            r.is_repeat ? load_link(r.multipliers, i, first) : max(load_link(r.multipliers, i, first), none);
        const RopeLink link = eliminate_link(parted(next - node.x, rest, i), own, w, rest, compliance(rest),
                                             tension, i + 1 == rows, state);
        if (i + 1 < rows) nodes[i + 1].share = link.share;
        node.y = link.n;
        node.next = link.value;
        node.joint = link.joint;
        next = node.x;
        w = own;
    }
    // The link from the left joint.
    const RopeLane rest = load<wide>(ends.left_rest + first), own = movable(load<wide>(ends.left_w + first));
    const RopeLink link = eliminate_link(next - load_ends(ends.left_x, first), own, w, rest, compliance(rest),
                                         load<wide>(ends.left_tension + first), rows == 0, state);
    nodes[0].share = link.share;
    const RopeVector n = load_ends(ends.left_n, first), turn = n - link.n;
    const RopeLane turned = dot(turn, turn), sine = turned * (RopeLane(1.0f) - RopeLane(0.25f) * turned);
    const RopeLane off = own * dot(n, link.n);
    store<wide>(ends.right_give + first, state.far_give);
    store<wide>(ends.right_value + first, state.far_value);
    store<wide>(ends.coupling + first, off * link.joint);
    store<wide>(ends.left_give + first,
                select(state.is_there, own * (state.give + own * sine) * state.inverse, own));
    store<wide>(ends.left_value + first, off * link.value);
    store_ends(ends.left_push, first, link.n);
    store<wide>(ends.link_value + first, link.value);
    store<wide>(ends.link_joint + first, link.joint);
    store<wide>(ends.link_share + first, off * state.inverse);
}

// Whether a link has its length: within 0.05 %, and what floats so far from the origin can tell.
template <class T>
PLIANT_INLINE auto has_length(const T& square, const T& wanted, const T& far) {
    const T error = square - wanted * wanted, most = wanted * (T(0.001f) * wanted + T(2.5e-7f) * far);
    return (error <= most) & (-error <= most);
}

// What is not as it should be: lengths that are not reached, tension that was not foreseen.
struct RopeFaults {
    Mask<wide> any;
    RopeLane stretch, per_length;

    PLIANT_INLINE void look(const RopeVector& e, const RopeVector& at, const RopeLane& rest,
                            const RopeLane& tension) {
        const RopeLane none(0.0f);
        const auto there = rest > none;
        const RopeLane wanted = max(rest + (stretch + per_length * rest) * tension, none);
        const RopeLane far = abs(at.x) + abs(at.y) + abs(at.z);
        any = any | (there & !has_length(dot(e, e), wanted, far));
    }
    PLIANT_INLINE void look_at_tension(const RopeLane& now, const RopeLane& before, const RopeLane& w,
                                       const RopeLane& rest) {
        any = any | ((now - (before + before)) * w > RopeLane(0.25f) * rest);
    }
};

// To the right: λ of each link, and the moves.
PLIANT_INLINE bool move_pieces(const StrandRun& r, std::size_t rows, std::size_t first, RopeNode* nodes,
                               PieceEnds& ends) {
    const RopeLane none(0.0f);
    RopeFaults faults{none > none, load<wide>(r.compliance + first),
                      load<wide>(r.compliance_per_measure + first)};
    const RopeLane right = load<wide>(ends.right_lambda + first);
    RopeLane lambda = load<wide>(ends.link_value + first) + load<wide>(ends.link_joint + first) * right +
                      load<wide>(ends.link_share + first) * load<wide>(ends.left_lambda + first);
    RopeVector push = load_ends(ends.left_push, first) * lambda, before{none, none, none};
    store_ends(ends.left_push, first, push);
    store<wide>(ends.link_value + first, lambda);
    RopeLane rest = none, tension = none;
    for (std::size_t i = 0; i < rows; ++i) {
        RopeNode& node = nodes[i];
        lambda = node.next + node.share * lambda + node.joint * right;
        const RopeVector own = node.y * lambda;
        node.x = node.x + (own - push) * node.w;
        if (i > 0) faults.look(node.x - before, node.x, rest, tension);
        push = own;
        before = node.x;
        rest = load_link(r.rests, i, first);
        const RopeLane kept = load_link(r.multipliers, i, first), base = r.is_repeat ? kept : max(kept, none);
        tension = base + lambda;
        if (!r.is_repeat) faults.look_at_tension(tension, base, node.w, rest);
        store<wide>(r.multipliers + i * block_size + first,
                    select(abs(tension) < RopeLane(1e30f), tension, none));
    }
    store_ends(ends.right_push, first, push);
    return !any(faults.any);
}

// The joints' own moves. Their links have their lengths, and those to the pieces beside them.
PLIANT_INLINE bool move_joints(const StrandRun& r, const RopeNode* nodes, std::size_t rows, PieceEnds& ends,
                               RopeJoints& joints) {
    const auto node_of = [&](std::size_t row, std::size_t piece) {
        const RopeNode& node = nodes[piece / wide * rows + row];
        float x[3][wide];
        store<wide>(x[0], node.x.x);
        store<wide>(x[1], node.x.y);
        store<wide>(x[2], node.x.z);
        return Vec3d{x[0][piece % wide], x[1][piece % wide], x[2][piece % wide]};
    };
    const auto check = [&](const Vec3d& a, const Vec3d& b, double rest, double tension) {
        const double compliance = double(r.compliance[0]) + double(r.compliance_per_measure[0]) * rest;
        const Vec3d e = b - a;
        const double wanted = rest + compliance * tension;
        return !(rest > 0) || has_length(dot(e, e), wanted > 0 ? wanted : 0.0,
                                         pliant::abs(b.x) + pliant::abs(b.y) + pliant::abs(b.z));
    };
    bool is_good = true, begins = true;
    std::size_t g = 0;
    Vec3d push{};
    for (std::size_t i = 0; i < joints.count; ++i) {
        RopeJoint& joint = joints.joints[i];
        if (begins) push = ends.right_push[g];
        begins = joint.is_last;
        if (joint.is_last) {
            ++g;
            joint.lambda = double(ends.link_value[g]);
        }
        const Vec3d own = joint.is_last ? ends.left_push[g] : joint.n * joint.lambda;
        joint.x = joint.x + (own - push) * joint.w;
        push = own;
        joint.tension = rope_tension(r, joint.slot) + joint.lambda;
        r.multipliers[joint.slot] =
            pliant::abs(joint.tension) < 1e30 ? static_cast<float>(joint.tension) : 0.0f;
    }
    g = 0;
    begins = true;
    for (std::size_t i = 0; i < joints.count; ++i) {
        const RopeJoint& joint = joints.joints[i];
        if (begins) {
            const std::size_t last = (rows - 1) * block_size + g;
            is_good &= check(node_of(rows - 1, g), joint.x, r.rests[last], r.multipliers[last]);
        }
        begins = joint.is_last;
        if (joint.is_last) ++g;
        is_good &=
            check(joint.x, joint.is_last ? node_of(0, g) : joints.joints[i + 1].x, joint.rest, joint.tension);
    }
    return is_good;
}

PLIANT_INLINE bool try_long_rope(const StrandRun& r, std::size_t rows, RopeNode* nodes, RopeJoints& joints) {
    PieceEnds ends;
    read_joints(r, ends, joints);
    RopeLane least(1e30f);
    for (std::size_t first = 0; first < block_size; first += wide)
        least = min(least, eliminate_springs(r, rows, first, nodes + first / wide * rows, ends));
    float leasts[wide], smallest = 1e30f;
    store<wide>(leasts, least);
    for (const float w : leasts) smallest = w < smallest ? w : smallest;
    const float held = smallest < 1e29f ? 1e-5f * smallest : 1.0f;
    joints.held = double(held);
    solve_joint_springs(ends, joints);
    give_joint_steps(ends, joints);
    for (std::size_t first = 0; first < block_size; first += wide)
        eliminate_links(r, rows, first, RopeLane(held), nodes + first / wide * rows, ends);
    solve_joint_lengths(ends, joints);
    bool is_good = true;
    for (std::size_t first = 0; first < block_size; first += wide)
        is_good &= move_pieces(r, rows, first, nodes + first / wide * rows, ends);
    return move_joints(r, nodes, rows, ends, joints) && is_good;
}

PLIANT_INLINE void store_long_rope(const StrandRun& r, std::size_t rows, const RopeNode* nodes,
                                   const RopeJoints& joints) {
    for (std::size_t first = 0; first < block_size; first += wide) {
        for (std::size_t i = 0; i < rows; ++i) {
            const RopeNode& node = nodes[first / wide * rows + i];
            store_particles<wide>(r.particles.position, rope_offsets(r, i, first),
                                  {node.x.x, node.x.y, node.x.z, node.w});
        }
    }
    for (std::size_t i = 0; i < joints.count; ++i) {
        float* to = r.particles.position + r.offsets[joints.joints[i].slot] / sizeof(float);
        const Vec3d& x = joints.joints[i].x;
        to[0] = static_cast<float>(x.x);
        to[1] = static_cast<float>(x.y);
        to[2] = static_cast<float>(x.z);
    }
}

}  // namespace detail

// False if it found no lengths: then nothing has moved.
PLIANT_ENTRY bool solve_long_rope(const StrandRun& r) {
    auto* nodes = static_cast<detail::RopeNode*>(r.scratch);
    const std::size_t rows = r.nodes - long_rope_joint_rows;
    detail::RopeJoints joints;
    for (int tries = r.is_repeat ? 1 : most_long_rope_tries; tries-- > 0;) {
        if (!detail::try_long_rope(r, rows, nodes, joints)) continue;
        detail::store_long_rope(r, rows, nodes, joints);
        return true;
    }
    return false;
}

}  // namespace pliant::PLIANT_TARGET
