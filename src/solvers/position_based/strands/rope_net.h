// Ropes that are tied to each other, and ropes through rings: a bridge, a net, a bead that slides along a
// rope, a pulley. All ropes of a net are solved at once.
//
//   o──o──o──O──o──o       O: a knot. Particles that are tied to each other are one point, with all their
//   mass.
//            │
//            o
//            │
//            W
//
// A ring slides along its rope without friction:
//
//          ring           The rope goes from node a through the ring to node b. Its segment has one length,
//          ╱ ╲            shared by the two pieces:
//         ╱   ╲
//      a o     o b          C = |a − r| + |r − b| − L
//
// so the tension T is the same on both sides, and the ring feels T·(e₁ − e₀), e: directions of the pieces.
// Several rings on a segment have a piece more each. When a node comes to a ring, the next segment is on it.
//
// The solve is that of strand_kernels.h, an implicit step for all points together, by Newton steps of
//
//   minimize ½·Σ m|dx|² + Σ ½·C²/α̃,   with T/l across each piece of length l.
//
// The matrix has a block for each point and each two that a segment joins (block_factor.h): ropes are
// eliminated between their knots, then the knots. Rigid segments have a hundred thousand times the heaviest
// mass for 1/α̃. T is that of the last substep. Where that was much less than what the step finds, the step is
// done again with what it found.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/position_based/kernels.h"
#include "solvers/position_based/strands/block_factor.h"
#include "solvers/position_based/strands/strand_set.h"

namespace pliant::solvers::position_based {

inline constexpr std::size_t most_rings = 16;  // on one rope

struct NetRope {
    std::span<const std::uint32_t> nodes;  // offsets in bytes, [node][16]: every sixteenth
    std::span<const float> rests;          // m, [node][16]; NaN: no link
    std::span<float> tensions;             // [node][16], h²·N: of the last substep, or so far in this one
    std::span<const std::uint32_t> rings;  // offsets in bytes, in the order of the rope
    std::span<std::uint32_t> segments;     // of each ring
    double compliance = 0, compliance_per_measure = 0, damping = 0;  // α̃, α̃ per m, γ
};

struct RopeNet {
    ParticleArrays particles;
    std::span<const NetRope> ropes;
    std::span<const StrandTie> ties;
    std::span<const std::uint8_t> is_rigid;  // of each tie: the others are left to the sweep
    bool is_repeat = false;                  // not the first iteration of a substep
};

// Particles that are one.
struct NetPoint {
    Vec3d x{}, moved{}, rate{};
    double mass = 0;
    std::uint32_t row = no_link;  // in the matrix; none: it is held
};
struct NetParticle {
    std::uint32_t offset = 0, point = 0;
};
struct NetPiece {
    std::uint32_t a = 0, b = 0;  // points
    Vec3d direction{};
    double length = 0;
};
struct NetSegment {
    std::uint32_t first = 0, last = 0;       // pieces, `last` included
    std::uint32_t rope = 0, slot = 0;        // of its rests and tensions
    bool is_first = false, is_last = false;  // of its rope
    double rest = 0, compliance = 0, stiffness = 0, damping = 0;
    double kept = 0, tension = 0, pull = 0, found = 0;  // kept: what earlier solves of this substep found
};

// Memory of a net. Which points there are is found anew when rings have moved on.
struct NetWorkspace {
    std::vector<NetRope> ropes;
    std::vector<std::uint32_t> ring_offsets, ring_segments;
    std::vector<std::uint32_t> found_for;  // ring segments and rigid ties that all what follows is for
    std::vector<NetParticle> particles;    // by offset
    std::vector<NetPoint> points;
    std::vector<NetPiece> pieces;
    std::vector<NetSegment> segments;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> couples;
    std::vector<Vec3d> right;
    BlockFactor factor;
};

void move_rings(const NetRope& rope, const ParticleArrays& particles);
void solve_net(const RopeNet& net, NetWorkspace& workspace);

}  // namespace pliant::solvers::position_based
