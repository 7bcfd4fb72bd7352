// What joins the pieces of a long rope (long_rope_kernels.h): the particles and links between them, 15 to 45,
// one after the other in double precision. Part of the kernels, compiled once per instruction set.
#pragma once

#include <pliant/vector.h>

#include "base/scalar.h"
#include "solvers/position_based/kernel_basics.h"

namespace pliant::PLIANT_TARGET::detail {

inline constexpr std::size_t rope_gaps = block_size - 1, most_rope_joints = 3 * rope_gaps;

// One value for each piece. `left` and `right`: where a piece begins and ends.
using PerPiece = float[block_size];
struct VectorPerPiece {
    PerPiece x, y, z;
    PLIANT_INLINE Vec3d operator[](std::size_t i) const { return {x[i], y[i], z[i]}; }
    PLIANT_INLINE void set(std::size_t i, const Vec3d& v) {
        x[i] = static_cast<float>(v.x);
        y[i] = static_cast<float>(v.y);
        z[i] = static_cast<float>(v.z);
    }
};

// What pieces give to the joints at their ends, and what joints give back.
struct PieceEnds {
    // The joint before the first particle, and the link from it.
    VectorPerPiece left_x, left_n;  // n: direction of the last link between the joints before it
    PerPiece left_w, left_rest, left_tension, left_stiffness;
    // The joint behind the last particle.
    VectorPerPiece right_x, right_n;
    PerPiece right_w;
    // Tension as springs: mass and pull that a piece leaves to its joints, and the spring between them.
    PerPiece left_mass, right_mass, spring;
    VectorPerPiece left_pull, right_pull, left_step, right_step;
    // Lengths: as long_rope_kernels.h has them.
    PerPiece right_give, right_value, coupling, left_give, left_value;
    PerPiece left_lambda, right_lambda;           // of the links between joints
    PerPiece link_value, link_joint, link_share;  // of the link from the left joint; then its λ
    VectorPerPiece left_push, right_push;
};

// A particle between pieces and the link behind it.
struct RopeJoint {
    Vec3d x, n, pull, step;
    double w = 0, mass = 0, spring = 0, give = 0;
    double rest = 0, tension = 0, compliance = 0, gap = 0;  // gap: by how much the link is too long
    double diagonal = 0, off = 0, value = 0, lambda = 0;
    std::size_t slot = 0;  // [node][16]
    bool is_last = false;  // before a piece; the link behind it belongs to that
};

struct RopeJoints {
    RopeJoint joints[most_rope_joints];
    std::size_t count = 0;
    double held = 0;  // inverse mass of what is held, where lengths are solved

    PLIANT_INLINE double inverse_mass(const RopeJoint& joint) const { return joint.w > 0 ? joint.w : held; }
};

PLIANT_INLINE Vec3d rope_particle(const StrandRun& r, std::size_t slot) {
    const float* p = r.particles.position + r.offsets[slot] / sizeof(float);
    return {p[0], p[1], p[2]};
}

// Tension that springs pull with, or that earlier iterations found.
PLIANT_INLINE double rope_tension(const StrandRun& r, std::size_t slot) {
    const double kept = double(r.multipliers[slot]);
    return r.is_repeat || kept > 0 ? kept : 0;
}

// The rows behind those of the pieces: two or three joints behind each.
PLIANT_INLINE void read_joints(const StrandRun& r, PieceEnds& ends, RopeJoints& joints) {
    const std::size_t rows = r.nodes - long_rope_joint_rows;
    joints.count = 0;
    for (std::size_t k = 0; k < block_size; ++k) {
        ends.right_w[k] = r.particles.position[r.offsets[rows * block_size + k] / sizeof(float) + 3];
        ends.left_w[k] = ends.left_stiffness[k] = ends.left_tension[k] = 0;
        ends.left_rest[k] = __builtin_nanf("");
        ends.left_x.set(k, rope_particle(r, k));
        ends.left_n.set(k, {});
        ends.right_x.set(k, rope_particle(r, rows * block_size + k));
        ends.right_n.set(k, {});
        ends.left_lambda[k] = ends.right_lambda[k] = 0;
        ends.left_step.set(k, {});
        ends.right_step.set(k, {});
    }
    for (std::size_t g = 0; g < rope_gaps; ++g) {
        const std::size_t slot = rows * block_size + g;
        const bool has_third =
            r.offsets[slot + 2 * block_size] != r.offsets[slot + block_size];  // else it is repeated
        const std::size_t here = has_third ? 3 : 2;
        for (std::size_t j = 0; j < here; ++j) {
            RopeJoint& joint = joints.joints[joints.count++];
            joint.slot = slot + j * block_size;
            joint.is_last = j + 1 == here;
            joint.x = rope_particle(r, joint.slot);
            joint.w = r.particles.position[r.offsets[joint.slot] / sizeof(float) + 3];
            const double rest = r.rests[joint.slot];
            joint.rest = rest > 0 ? rest : 0;  // NaN: no link
            joint.tension = rope_tension(r, joint.slot);
            joint.compliance = double(r.compliance[0]) + double(r.compliance_per_measure[0]) * joint.rest;
            joint.spring = joint.rest > 0 && !r.is_repeat
                               ? joint.tension / (joint.rest + joint.compliance * joint.tension)
                               : 0;
            if (!joint.is_last) continue;
            ends.left_x.set(g + 1, joint.x);
            ends.left_w[g + 1] = static_cast<float>(joint.w);
            ends.left_rest[g + 1] = r.rests[joint.slot];
            ends.left_tension[g + 1] = static_cast<float>(joint.tension);
            ends.left_stiffness[g + 1] = static_cast<float>(joint.spring);
        }
    }
}

// Tension as springs: steps of the joints.
PLIANT_INLINE void solve_joint_springs(PieceEnds& ends, RopeJoints& joints) {
    std::size_t g = 0;
    Vec3d pull_before{};
    bool begins = true;
    for (std::size_t i = 0; i < joints.count; ++i) {
        RopeJoint& joint = joints.joints[i];
        joint.mass = joint.w > 0 ? 1 / joint.w : 0;
        joint.pull = pull_before * -1.0;
        if (begins) {
            joint.mass += double(ends.right_mass[g]);
            joint.pull = ends.right_pull[g];
        }
        begins = joint.is_last;
        if (joint.is_last) {
            joint.mass += double(ends.left_mass[++g]);
            joint.pull = joint.pull + ends.left_pull[g];
            joint.spring = double(ends.spring[g]);
            pull_before = {};
        } else {
            pull_before = (joints.joints[i + 1].x - joint.x) * joint.spring;
            joint.pull = joint.pull + pull_before;
        }
    }
    double mass = 0;
    Vec3d pull{};
    for (std::size_t i = 0; i < joints.count; ++i) {
        RopeJoint& joint = joints.joints[i];
        if (i + 1 == joints.count) joint.spring = 0;
        const bool moves = joint.w > 0;
        mass = joint.mass + mass;
        const double inverse = moves ? 1 / (mass + joint.spring) : 0, share = joint.spring * inverse;
        pull = joint.pull + pull;
        joint.step = pull * inverse;
        joint.give = share;
        mass = moves ? mass * share : joint.spring;
        pull = pull * share;
    }
    Vec3d step{};
    for (std::size_t i = joints.count; i-- > 0;) {
        RopeJoint& joint = joints.joints[i];
        step = joint.step + step * joint.give;
        joint.step = step;
        joint.x = joint.x + step;
    }
}

// Where the joints are now, for the pieces beside them, and the directions of the links between them.
PLIANT_INLINE void give_joint_steps(PieceEnds& ends, RopeJoints& joints) {
    std::size_t g = 0;
    bool begins = true;
    for (std::size_t i = 0; i < joints.count; ++i) {
        RopeJoint& joint = joints.joints[i];
        if (!joint.is_last) {
            const Vec3d e = joints.joints[i + 1].x - joint.x;
            const double size = pliant::sqrt(dot(e, e));
            joint.n = size > 0 && joint.rest > 0 ? e * (1 / size) : Vec3d{};
            joint.gap = size - joint.rest - joint.compliance * joint.tension;
        }
        if (begins) {
            ends.right_x.set(g, joint.x);
            ends.right_step.set(g, joint.step);
            ends.right_n.set(g, joint.n);
        }
        begins = joint.is_last;
        if (!joint.is_last) continue;
        ++g;
        ends.left_x.set(g, joint.x);
        ends.left_step.set(g, joint.step);
        ends.left_n.set(g, joints.joints[i - 1].n);
    }
}

// The links between joints: their λ.
PLIANT_INLINE void solve_joint_lengths(PieceEnds& ends, RopeJoints& joints) {
    std::size_t g = 0;
    bool begins = true;
    double before = 0, value = 0;  // 1/diagonal of the link before
    for (std::size_t i = 0; i < joints.count; ++i) {
        RopeJoint& joint = joints.joints[i];
        if (joint.is_last) {
            ++g;
            begins = true;
            continue;
        }
        const RopeJoint& next = joints.joints[i + 1];
        const bool is_there = joint.rest > 0;
        double left = joints.inverse_mass(joint), right = joints.inverse_mass(next), rhs = joint.gap;
        if (begins) {
            left = pliant::max(left - double(ends.right_give[g]), 0.0);
            rhs += double(ends.right_value[g]);
            joint.off = double(ends.coupling[g]);
        } else {
            joint.off = left * dot(joints.joints[i - 1].n, joint.n);
        }
        if (next.is_last) {
            right = double(ends.left_give[g + 1]);
            rhs += double(ends.left_value[g + 1]);
        }
        begins = false;
        const double diagonal = left + right + joint.compliance - joint.off * joint.off * before;
        const double inverse = is_there && diagonal > 0 ? 1 / diagonal : 0;
        joint.value = (rhs + joint.off * value) * inverse;
        joint.diagonal = inverse;
        value = joint.value;
        before = inverse;
    }
    double off = 0, lambda = 0;
    for (std::size_t i = joints.count; i-- > 0;) {
        RopeJoint& joint = joints.joints[i];
        if (joint.is_last) continue;
        joint.lambda = joint.value + off * joint.diagonal * lambda;
        lambda = joint.lambda;
        off = joint.off;
    }
    begins = true;
    g = 0;
    for (std::size_t i = 0; i < joints.count; ++i) {
        const RopeJoint& joint = joints.joints[i];
        if (begins) ends.right_lambda[g] = static_cast<float>(joint.lambda);
        begins = joint.is_last;
        if (joint.is_last) ends.left_lambda[++g] = static_cast<float>(joints.joints[i - 1].lambda);
    }
}

}  // namespace pliant::PLIANT_TARGET::detail
