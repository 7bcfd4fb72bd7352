// Where colliders are, and where the particles of a range are: for the choice of those that may touch.
#pragma once

#include "collision/collider_kind.h"
#include "collision/local_colliders.h"
#include "model/state.h"
#include "solvers/position_based/kernels.h"
#include "solvers/position_based/plan.h"
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

// The colliders that the particles of a chunk may touch.
inline void find_near_colliders(const Kernels& kernels, const Plan& plan, const model::State& state,
                                std::size_t subdomain, const ParticleChunk& chunk, Workspace& workspace,
                                ParticleRange& range) {
    if (state.colliders.empty()) return;
    collision::LocalColliders& near = workspace.near[subdomain];
    near.keep_near(workspace.colliders[chunk.island], bounds_of(kernels, range),
                   plan.islands[chunk.island].radius);
    range.colliders = near.set();
}

// To where they are at the end of the substep: the way that is left is shared by the substeps that are left.
inline void move_colliders(model::State& state, int substeps_left, std::size_t subdomains,
                           Workspace& workspace) {
    if (state.moved_colliders.empty()) return;
    forget_clear_faces(workspace.faces);
    workspace.colliders_before = state.colliders;
    for (const model::MovedCollider& moved : state.moved_colliders) {
        ColliderShape& shape = state.colliders[moved.collider].shape;
        shape = collision::between(shape, moved.target, 1.0 / substeps_left);
    }
    place_colliders(workspace.colliders_before, state, subdomains, workspace);
}

// What starts in a collider comes out of it at 0.25 m/s. A soft body smaller than 0.125 m does so more slowly
// near the surface, by two sizes per second: it would hop.
inline void ease(const model::Island& island, double h, ParticleRange& range) {
    constexpr double speed = 0.25, rate = 2;
    range.ease_most = static_cast<float>(speed * h);
    range.ease_share = static_cast<float>(rate * h);
    range.ease_least = island.is_soft ? static_cast<float>(rate * h * island.extent) : range.ease_most;
}

// What bodies add to the friction of colliders.
inline void give_friction(const Plan& plan, ParticleRange& range) {
    if (plan.friction_shares.empty()) return;
    range.friction_shares = plan.friction_shares.data();
    range.restitutions = plan.restitutions.data();
}

}  // namespace pliant::solvers::position_based
