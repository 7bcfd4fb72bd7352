// Colliders, moved into the frame of one group of particles.
#pragma once

#include <pliant/description.h>

#include <span>
#include <vector>

#include "collision/shapes.h"

namespace pliant {

// Between two shapes of the same kind; share 0 gives the first, 1 the second.
ColliderShape between(const ColliderShape& from, const ColliderShape& to, double share);

class LocalColliders {
public:
    // As they are at the start and at the end of a substep. The differences are taken in double precision:
    // an origin may be kilometres away.
    void place(std::span<const Collider> start, std::span<const Collider> end, const Vec3d& origin);

    ColliderSet set() const {
        return {planes_.data(),  planes_.size(), spheres_.data(),
                spheres_.size(), boxes_.data(),  boxes_.size()};
    }

private:
    std::vector<PlaneShape> planes_;
    std::vector<SphereShape> spheres_;
    std::vector<BoxShape> boxes_;
};

// A point with that radius after it left the shapes by the nearest way, one shape after the other.
Vec3d pushed_out(const ColliderSet& colliders, Vec3d x, double radius);

}  // namespace pliant
