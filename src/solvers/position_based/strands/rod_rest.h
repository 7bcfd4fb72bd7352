// How a rod is at rest, and the material frames that its segments start with (rod_joint.h).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "model/model.h"

namespace pliant::solvers::position_based {

struct RodRest {
    // Of each node: κ̄₁ and κ̄₂ of the joint there; tangent and first normal of the segment behind it. Nodes
    // that have none: zeros; the last segment's.
    std::vector<std::array<float, 2>> curvatures;
    std::vector<std::array<float, 6>> frames;
};

// particles: from end to end. By the rod's twist, turns per m, frames turn from segment to segment at the
// start; at rest they do not.
RodRest rest_of_rod(const model::Model& model, std::span<const std::uint32_t> particles,
                    const model::Rod& rod);

}  // namespace pliant::solvers::position_based
