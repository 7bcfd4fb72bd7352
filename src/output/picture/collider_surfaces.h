// How colliders are drawn: by the surface that each shape has, or by a finer one.
#pragma once

#include <pliant/description.h>
#include <pliant/output/picture.h>

#include <optional>

#include "output/picture/round_shapes.h"

namespace pliant::output {

// A mesh about the origin, which stands in the world as center + rotation · (scale · point).
struct ColliderSurface {
    RoundShape mesh{};
    Vec3d center{};         // m
    Quaternion rotation{};  // of any length but 0
    float scale = 1;
    bool inverted = false;  // it faces inward: from outside one looks through its near side
};

// A plane has none: it is the ground, or a wall.
std::optional<ColliderSurface> surface_of(const Collider& collider);

// Whether its mesh changes from frame to frame, beyond what center, rotation and scale say.
bool deforms(const Collider& collider);

// The plane that it is, if it is one, with its normal to the free side.
std::optional<Plane> plane_of(const Collider& collider);

// Empty where the shape is endless.
Bounds bounds_of(const ColliderShape& shape);

}  // namespace pliant::output
