// Free particles with radii. They meet each other as spheres.
#pragma once

#include <cstdint>
#include <vector>

#include "model/model.h"

namespace pliant::solvers::position_based {

struct Plan;

struct GrainPlan {
    // Of each grain.
    std::vector<std::uint32_t> offsets;  // of its particle, bytes
    std::vector<std::uint32_t> bodies;
    std::vector<float> radii;  // m

    float largest_radius = 0;             // m
    bool has_restitution = false;         // some pairs may bounce
    std::vector<std::uint8_t> in_island;  // whether an island has grains

    bool empty() const { return offsets.empty(); }
    std::size_t size() const { return offsets.size(); }
};

// Whether a body is grains.
bool is_grains(const model::Model& model, std::size_t body);

GrainPlan make_grain_plan(const model::Model& model, const Plan& plan);

}  // namespace pliant::solvers::position_based
