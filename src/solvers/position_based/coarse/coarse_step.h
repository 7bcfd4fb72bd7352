// The part of a substep that runs on the coarse level (coarse_level.h).
#pragma once

#include <cstdint>
#include <vector>

#include "base/aligned.h"
#include "base/parallel.h"
#include "model/state.h"
#include "solvers/position_based/coarse/coarse_level.h"
#include "solvers/position_based/coarse/stiffness_shares.h"
#include "solvers/position_based/kernels.h"

namespace pliant::solvers::position_based {

// What a node feels of the particles around it that touch something.
struct NodeContact {
    std::uint32_t node = 0;
    Vec3 normal;
    Vec3 step;           // m, how far they go in this substep, seen from the surface
    float friction = 0;  // coefficient
    float pushed = 0;    // m, so far: never pulls
    Vec3 dragged{};      // m, so far, along the surface: at most friction × pushed
};

struct CoarseWorkspace {
    std::vector<std::uint8_t> is_active;  // of each body: it is too stiff for its elements alone
    bool any_active = false;
    AlignedVector<float> deformations, rotations, multipliers, compliances, nodes;
    std::vector<float> pushes;  // of each node, m
    std::vector<float> sums;    // of each node: Σφ, Σφ·n, Σφ·step, Σφ·friction
    std::vector<std::vector<NodeContact>> contacts;  // of each body
    StiffnessShares shares;                          // of one body after the other
    double prepared_substep = 0;                     // s, what the compliances are for
    std::vector<float> prepared_materials;           // compliance and Poisson's ratio of each body
};

// Splits stiffness between elements and cells, anew if the substep (s) or a material changed. The elements of
// active bodies then keep to what a sweep can carry. softness: of each material part.
void prepare_coarse(const CoarseLevel& level, const Settings& settings,
                    std::span<const model::MaterialValues> materials, double substep,
                    std::span<Softness<float>> softness, CoarseWorkspace& workspace);

// Moves the predicted positions by what the coarse level finds.
void solve_coarse(const CoarseLevel& level, const Kernels& kernels, const ParticleArrays& particles,
                  const ContactArrays& contacts, CoarseWorkspace& workspace, Executor& executor);

}  // namespace pliant::solvers::position_based
