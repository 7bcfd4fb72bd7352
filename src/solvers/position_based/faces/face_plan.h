// The triangles of cloth and of the skins of solids, for contact with colliders (face_step.h), in groups that
// follow a curve through space.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/model.h"

namespace pliant::solvers::position_based {

struct Plan;

// All of one body.
struct FaceGroup {
    static constexpr std::uint32_t most_triangles = 64;

    std::uint32_t island = 0;
    std::uint32_t first = 0, count = 0;               // triangles
    std::uint32_t first_of_closure = 0, closure = 0;  // their vertices, each once
};

struct FacePlan {
    std::vector<FaceGroup> groups;
    std::vector<std::array<std::uint32_t, 3>> triangles;  // byte offsets of particles
    std::vector<float> radii;                             // m: a triangle is as thick as its thinnest corner
    std::vector<std::uint32_t> closures;                  // byte offsets of particles

    bool empty() const { return groups.empty(); }
};

// Of what moves: a triangle that is held at all corners meets nothing.
FacePlan make_face_plan(const model::Model& model, const Plan& plan);

}  // namespace pliant::solvers::position_based
