// Where the particles of a range are, for the choice of colliders that they may touch.
#pragma once

#include "collision/collider_kind.h"
#include "solvers/position_based/kernels.h"

namespace pliant::solvers::position_based {

inline collision::LocalBounds bounds_of(const Kernels& kernels, const ParticleRange& range) {
    float b[8];
    kernels.bounds(range, b);
    const Vec3d low{b[0], b[1], b[2]}, high{b[4], b[5], b[6]};
    return {(low + high) * 0.5, (high - low) * 0.5};
}

}  // namespace pliant::solvers::position_based
