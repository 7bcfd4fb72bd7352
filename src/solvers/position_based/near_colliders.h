// Where colliders are, and where the particles of a range are: for the choice of those that may touch.
#pragma once

#include "collision/collider_kind.h"
#include "model/state.h"
#include "solvers/position_based/kernels.h"
#include "solvers/position_based/workspace.h"

namespace pliant::solvers::position_based {

inline collision::LocalBounds bounds_of(const Kernels& kernels, const ParticleRange& range) {
    float b[8];
    kernels.bounds(range, b);
    const Vec3d low{b[0], b[1], b[2]}, high{b[4], b[5], b[6]};
    return {(low + high) * 0.5, (high - low) * 0.5};
}

// Seen from the origin of every island. before: as they were at the start of the substep.
inline void place_colliders(const std::vector<Collider>& before, const model::State& state,
                            std::size_t subdomains, Workspace& workspace) {
    workspace.colliders.resize(state.origins.size());
    for (std::size_t i = 0; i < state.origins.size(); ++i)
        workspace.colliders[i].place(before, state.colliders, state.origins[i]);
    workspace.near.resize(subdomains);
    for (collision::LocalColliders& near : workspace.near) near.reserve_for(workspace.colliders[0]);
}

}  // namespace pliant::solvers::position_based
