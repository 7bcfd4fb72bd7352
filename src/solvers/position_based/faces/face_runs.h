// What the kernels of faces work on: plain pointers and numbers. face_step.h explains the passes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "collision/all.h"

namespace pliant::solvers::position_based {

// Lowest and highest coordinates of some particles, at the start and at the end of a substep.
struct FaceBoundsRun {
    const float* position = nullptr;
    const float* displacement = nullptr;
    const std::uint32_t* closure = nullptr;
    std::size_t count = 0;
    float *low = nullptr, *high = nullptr;  // four floats each; the last is not used
};

// A point of a triangle that is inside a collider: n·Σβx ≥ level keeps it out.
struct FaceContact {
    std::uint32_t offsets[3];
    float weights[3];  // β
    float normal[3];
    float level;          // m
    float surface[3];     // m: how the collider's surface moved there in this substep
    float friction;       // coefficient of the collider
    std::uint32_t other;  // the collider
    std::uint32_t group;
};

struct FaceSearch {
    const float* position = nullptr;
    const float* displacement = nullptr;
    const std::array<std::uint32_t, 3>* triangles = nullptr;
    const float* radii = nullptr;
    std::size_t count = 0;
    collision::ColliderSet colliders;
    float belt_step = 0;  // s: the substep
    float most_left = 0;  // m: how deep a face may stay
    std::uint32_t group = 0;
    FaceContact* found = nullptr;  // room for one of each triangle and collider
    std::size_t found_count = 0;
};

}  // namespace pliant::solvers::position_based
