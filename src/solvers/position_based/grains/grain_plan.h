// Free particles with radii. They meet each other as spheres.
#pragma once

#include <cstdint>
#include <vector>

#include "base/particle_layout.h"
#include "model/model.h"
#include "solvers/position_based/grains/grain_cells.h"

namespace pliant::solvers::position_based {

struct Plan;

// Slots that never move, for empty lanes: one cache line each.
inline constexpr std::size_t floats_per_grain_dummy = 16;

struct GrainPlan {
    // Of each grain.
    std::vector<std::uint32_t> offsets;  // of its particle, bytes
    std::vector<std::uint32_t> bodies;
    std::vector<float> radii;  // m

    float largest_radius = 0;             // m
    bool is_uniform = true;               // all have one radius, one origin and one body
    std::uint32_t first_dummy = 0;        // byte offset of slots that never move, one cache line each
    bool has_restitution = false;         // some pairs may bounce
    std::vector<std::uint8_t> in_island;  // whether an island has grains

    bool empty() const { return offsets.empty(); }
    std::size_t size() const { return offsets.size(); }
    // One for each chunk of a colour, since those run at the same time.
    std::size_t dummy_floats() const {
        return empty() ? 0 : GrainCells::most_chunks(size()) * floats_per_grain_dummy;
    }
};

// Whether a body is grains.
bool is_grains(const model::Model& model, std::size_t body);

GrainPlan make_grain_plan(const model::Model& model, const Plan& plan);

}  // namespace pliant::solvers::position_based
