// Ropes through rings: a bead that slides along a rope, a pulley that a rope runs over. Without friction.
//
//          ring           The rope goes from node a through the ring to node b. Its segment has one length,
//          ╱ ╲            shared by the two pieces:
//         ╱   ╲
//      a o     o b          C = |a − r| + |r − b| − L
//
// so the tension T is the same on both sides, and the ring feels T·(e₁ − e₀), e: directions of the pieces.
// Several rings on a segment have a piece more each. When a node comes to a ring, the next segment is on it.
//
// The solve is that of strand_kernels.h, for one rope after the other: an implicit step for nodes and rings
// together, two Newton steps of
//
//   minimize ½·Σ m|dx|² + Σ ½·C²/α̃,   with T/l across each piece of length l,
//
// a band matrix in the order of the rope, factored as L·D·Lᵀ in double precision. Rigid segments have a
// hundred thousand times the heaviest mass for 1/α̃.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <pliant/vector.h>

#include "solvers/position_based/kernels.h"

namespace pliant::solvers::position_based {

inline constexpr std::size_t most_rings = 16;  // on one rope

struct ThreadedRope {
    ParticleArrays particles;
    std::span<const std::uint32_t> nodes;  // offsets in bytes, [node][16]: every sixteenth
    std::span<const float> rests;          // m, [node][16]; NaN: no link
    std::span<float> multipliers;          // [node][16], tension so far in this substep
    std::span<const std::uint32_t> rings;  // offsets in bytes, in the order of the rope
    std::span<std::uint32_t> segments;     // of each ring
    double compliance = 0, compliance_per_measure = 0, damping = 0;  // α̃, α̃ per m, γ
    bool begins = false;                                             // the first iteration of a substep
};

// A node or a ring.
struct ThreadedPoint {
    Vec3d x{}, moved{}, rate{};
    double mass = 0;
    std::uint32_t offset = 0;
    std::uint32_t segment = 0;  // behind it
    bool is_held = false;
    // Of the piece behind it.
    Vec3d direction{};
    double length = 0;
};
struct ThreadedSegment {
    std::uint32_t first = 0, last = 0;  // points
    double rest = 0, compliance = 0, stiffness = 0, pull = 0, tension = 0, straight = 0;
    double kept = 0, found = 0;  // tension that earlier solves of this substep found, and this one
};

// Memory for a rope of so many nodes and rings.
struct ThreadedWorkspace {
    std::vector<ThreadedPoint> points;
    std::vector<ThreadedSegment> segments;
    std::vector<double> band;  // [unknown][width]: the diagonal and what is below it
    std::vector<double> right;
    std::vector<double> factors;

    void reserve(std::size_t nodes, std::size_t rings);
};

void solve_threaded(const ThreadedRope& rope, ThreadedWorkspace& workspace);

}  // namespace pliant::solvers::position_based
