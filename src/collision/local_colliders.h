// Colliders, moved into the frame of one group of particles.
#pragma once

#include <pliant/description.h>

#include <span>
#include <vector>

#include "collision/shapes.h"

namespace pliant {

class LocalColliders {
public:
    // The differences are taken in double precision: an origin may be kilometres away.
    LocalColliders(std::span<const Collider> colliders, const Vec3d& origin);

    ColliderSet set() const {
        return {planes_.data(),  planes_.size(), spheres_.data(),
                spheres_.size(), boxes_.data(),  boxes_.size()};
    }
    bool empty() const { return planes_.empty() && spheres_.empty() && boxes_.empty(); }

private:
    std::vector<PlaneShape> planes_;
    std::vector<SphereShape> spheres_;
    std::vector<BoxShape> boxes_;
};

}  // namespace pliant
