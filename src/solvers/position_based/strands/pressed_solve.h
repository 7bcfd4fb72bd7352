// Strands that press on something, with all that they press on: one implicit step for all of it together.
//
//        T ╲   ╱ T         A rope that carries a tonne around a bar, and weighs grams: what the bar does to
//           ╲ ╱            the light particles beside it must reach the weight in the same step, or the next
//          ( ● )           solve of the rope pulls them through.
//
// Strands have been solved, and x is where that took them. From there, by Newton steps,
//
//   minimize  ½·Σ m|dx|²                                             all particles
//           + ½·Σ k·(|e| − L − α̃T)² + ½·Σ (T/|e|)·|dx across e|²     segments of tension T
//           + ½·Σ (B/l³)·|dx₋ − 2dx + dx₊|²                          joints of rods
//           + ½·Σ k·max(0, level − n·Σβx)²                           contacts
//           + ½·Σ s·|slip|²,   s = μ·f/|slip|                        their friction
//
// First without friction, until lengths and levels are kept; what pulls at its level in two steps is no
// contact. Then some steps with the friction that f, what a contact pushes with, and |slip| have come to.
// Such steps go to |slip|′ = S/(1 + b/|slip|), with S: the slip without friction, and so to 0 or S − b. Where
// that is 0 a contact holds in the last steps, elsewhere it slides by S − b.
//
// Rigid segments and contacts have a hundred thousand times the heaviest mass for k. A segment that pulls
// more than was foreseen has the step done again with that T (rope_net.h).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "solvers/position_based/kernels.h"
#include "solvers/position_based/strands/block_factor.h"
#include "solvers/position_based/strands/strand_set.h"

namespace pliant::solvers::position_based {

// n·Σβx must be `level`; x − reference is how far a particle has slid.
struct PressRow {
    std::uint32_t offsets[4] = {}, count = 0;
    std::uint32_t points[4] = {};
    double weights[4] = {};
    Vec3d normal{}, reference{};  // reference: Σβ of it
    double level = 0, friction = 0;
    double force = 0, side = 0;         // f and s, as far as they are known
    double free_slip = 0, slipped = 0;  // |slip| without friction, and before the last step
    bool is_active = false;
    int pulls = 0;  // in how many steps so far, one after the other
};

struct PressPoint {
    Vec3d x{}, moved{};
    double mass = 0;
    std::uint32_t row = no_link;  // in the matrix; none: it is held
};
struct PressMember {
    std::uint32_t offset = 0, point = 0;
};
struct PressLink {
    std::uint32_t a = 0, b = 0;  // points
    double rest = 0, compliance = 0, stiffness = 0;
    double kept = 0, side = 0;  // T and T/|e| of the strands' own solve
    Vec3d across{};             // e of that, of unit length
    Vec3d direction{};
    double length = 0, pull = 0, tension = 0, found = 0;
};
struct PressJoint {
    std::uint32_t a = 0, b = 0, c = 0;
    double stiffness = 0;
};

// What is solved together, and memory for it.
struct PressSystem {
    // Memory for so many nodes of strands, and what they touch.
    void reserve(std::size_t nodes);

    std::vector<PressPoint> points;
    std::vector<PressMember> members;
    std::vector<PressLink> links;
    std::vector<PressJoint> joints;
    std::vector<PressRow> rows;

    std::vector<std::pair<std::uint32_t, std::uint32_t>> couples,
        known;  // known: the matrix is ready for them
    std::vector<Vec3d> right;
    BlockFactor factor;
};

// Points, links, joints and rows are there. Moves the points; false if it did not come to an end.
bool solve_pressed(PressSystem& system);

}  // namespace pliant::solvers::position_based
