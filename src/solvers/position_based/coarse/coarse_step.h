// The part of a substep that runs on the coarse level (coarse_level.h).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/aligned.h"
#include "base/parallel.h"
#include "model/state.h"
#include "solvers/position_based/coarse/coarse_matrix.h"
#include "solvers/position_based/coarse/node_contacts.h"
#include "solvers/position_based/coarse/stiffness_shares.h"
#include "solvers/position_based/kernels.h"

namespace pliant::solvers::position_based {

inline constexpr int most_attempts = 6;  // to find which contacts hold, slide or let go

// A matrix with what holds nodes that touch, as it was last factorized in an attempt of that number. Bodies
// at rest hold on in the same way from substep to substep, and need no other.
struct HeldFactor {
    int matrix = -1;  // of the body: 0 and 1 as at rest, 2 turned; −1: none yet
    std::uint64_t version = 0;
    std::vector<HeldNode> nodes;
    std::vector<double> values;
};

// Scratch memory of one body.
struct CoarseBodyWorkspace {
    bool is_active = false;               // it is too stiff for its elements alone
    std::vector<double> sums;             // [axis][node], scratch
    std::vector<double> places, motions;  // [node][3]: y, and that of u; m, in the body's frame
    std::vector<double> forces, moves;    // [node][3]: × h², kg·m; q, m
    Matrix3<double> frame;                // of the body, in the world
    std::vector<Matrix3<double>> rotations;
    CoarseMatrix rest[2];  // with boxes as they are at rest; the second while it touches
    CoarseMatrix turned;   // with boxes as they were last found in this frame
    bool has_turned = false;
    std::array<HeldFactor, most_attempts> held;
    NodeContacts contacts;
};

struct CoarseWorkspace {
    bool any_active = false;
    std::vector<CoarseBodyWorkspace> bodies;
    std::vector<float> run_sums;            // [run][floats_per_run_sum], of positions
    std::vector<float> motion_sums;         // the same, of displacements
    std::vector<double> stiffnesses;        // [box][24][24]: K·h², kg; zero: the box carries nothing
    AlignedVector<float> nodes;             // [node][4]: q
    StiffnessShares shares;                 // of one body after the other
    double prepared_substep = 0;            // s, what the stiffnesses are for
    std::vector<float> prepared_materials;  // compliance and Poisson's ratio of each body
};

// Of its boxes.
std::span<const double> stiffnesses_of(const CoarseBody& body, const CoarseWorkspace& workspace);

// Splits stiffness between elements and boxes, anew if the substep (s) or a material changed. The elements of
// active bodies then keep to what a sweep can carry. softness: of each material part.
void prepare_coarse(const CoarseLevel& level, const Settings& settings,
                    std::span<const model::MaterialValues> materials, double substep,
                    std::span<Softness<float>> softness, CoarseWorkspace& workspace);

// Moves the predicted positions by what the coarse level finds.
void solve_coarse(const CoarseLevel& level, const Kernels& kernels, const ParticleArrays& particles,
                  const ContactArrays& contacts, CoarseWorkspace& workspace, Executor& executor);

}  // namespace pliant::solvers::position_based
