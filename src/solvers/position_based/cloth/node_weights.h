// By which weights a particle goes with the nodes around it.
//
// Of the nodes that are nearest along the cloth, at distances d₁ ≤ … ≤ d₄ < d₅, four count, with the kernel
// kₙ = (d₅/dₙ − 1)²: infinite at the node itself, nothing where another node takes its place. Moving least
// squares make of it weights that reproduce linear fields over the tangent plane,
//
//   φₙ = kₙ·pₙᵀ·M⁻¹·(1, 0, 0),   M = Σ kₙ·pₙ·pₙᵀ,   pₙ = (1, uₙ, vₙ)
//
// with a slight regularization where nodes are few or in line. None is negative, and their sum is 1.
#pragma once

#include <pliant/vector.h>

#include <array>
#include <cstdint>
#include <span>

#include "solvers/position_based/cloth/cloth_levels.h"

namespace pliant::solvers::position_based::cloth {

struct NearNode {
    double distance = 0;  // m, along the cloth
    std::uint32_t node = 0;
};

// The nearest nodes of a target so far, ascending by distance.
struct NearNodes {
    static constexpr std::size_t most = nodes_per_target + 1;
    std::array<NearNode, most> nodes;
    std::size_t count = 0;

    void add(const NearNode& found);
};

// to_node: from the target to each of the nodes, at rest; reach: how far nodes were looked for.
std::array<double, nodes_per_target> node_weights(const NearNodes& near, std::span<const Vec3d> to_node,
                                                  const Vec3d& normal, double reach);

}  // namespace pliant::solvers::position_based::cloth
