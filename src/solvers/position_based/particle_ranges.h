// The particles of a chunk as kernels are given them, and the colliders that may touch them.
#pragma once

#include "base/convert.h"
#include "collision/collider_kind.h"
#include "collision/local_colliders.h"
#include "model/state.h"
#include "solvers/position_based/coarse/levels.h"
#include "solvers/position_based/contact/contact_reports.h"
#include "solvers/position_based/kernels.h"
#include "solvers/position_based/plan.h"
#include "solvers/position_based/workspace.h"
#include "solvers/step_context.h"

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

// The colliders that the particles of a chunk may touch. keeps_box: no particle comes out of the chunk's
// clear box but as is_within sees it.
inline void find_near_colliders(const Kernels& kernels, const Plan& plan, const model::State& state,
                                std::size_t subdomain, std::size_t chunk, bool keeps_box,
                                Workspace& workspace, ParticleRange& range) {
    if (state.colliders.empty()) return;
    ClearBox& box = workspace.clear_boxes[chunk];
    const bool is_known = box.low_high[0] <= box.low_high[4];
    if (keeps_box && is_known && kernels.is_within(range, box.low_high)) return;
    box = {};
    const std::uint32_t island = plan.chunks[chunk].island;
    const collision::LocalColliders& all = workspace.colliders[island];
    collision::LocalColliders& near = workspace.near[subdomain];
    const collision::LocalBounds bounds = bounds_of(kernels, range);
    near.keep_near(all, bounds, plan.islands[island].radius);
    range.colliders = near.set();
    if (!keeps_box || near.size() > 0) return;
    // Nothing is near: how far around is there nothing?
    for (const double share : {1.0, 0.1}) {
        const double margin = share * length(bounds.half);
        const Vec3d half = bounds.half + Vec3d{margin, margin, margin};
        near.keep_near(all, {bounds.center, half}, plan.islands[island].radius);
        if (near.size() > 0) continue;
        const Vec3 low = to_float(bounds.center - half), high = to_float(bounds.center + half);
        const ClearBox clear{{low.x, low.y, low.z, 0, high.x, high.y, high.z, 0}};
        if (kernels.is_within(range, clear.low_high)) box = clear;
        break;
    }
    near.clear();
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

inline double substep_of(const Settings& settings) { return double(settings.time_step) / settings.substeps; }

// h²·g
inline Vec3d gravity_step(const Settings& settings) {
    const double h = substep_of(settings);
    return round_to_float(to_double(settings.gravity) * (h * h));
}

// All but colliders.
inline ParticleRange particle_range(const model::Model& model, const Plan& plan,
                                    model::PositionBasedState& state, const StepContext& context,
                                    const ParticleArrays& arrays, const ParticleChunk& chunk) {
    const Settings& settings = context.settings;
    Workspace& workspace = context.workspace;
    const Vec3 gravity = to_float(gravity_step(settings));
    const double h = substep_of(settings), h2 = h * h;
    ParticleRange range;
    range.particles = arrays;
    range.forces = state.forces.empty() ? nullptr : state.forces.data();
    range.radii = plan.radii.data();
    give_friction(plan, range);
    range.first = chunk.first;
    range.count = chunk.count;
    range.gravity_step[0] = gravity.x, range.gravity_step[1] = gravity.y, range.gravity_step[2] = gravity.z;
    range.h2 = static_cast<float>(h2);
    range.substep = static_cast<float>(h);
    range.air_loads = settings.air_density > 0 ? workspace.air_loads.data() : nullptr;
    range.half_air_density = settings.air_density / 2;
    range.contacts = any_level(workspace) ? state.contacts.data() : nullptr;
    range.surfaces = state.surfaces.data();
    range.max_correction = workspace.max_corrections[chunk.island];
    range.body_size = static_cast<float>(model.islands[chunk.island].extent);
    ease(model.islands[chunk.island], h, range);
    give_reports(workspace.contact.reports, range);
    // What gravity adds in two substeps is resting, not falling.
    range.resting_step = static_cast<float>(2 * h2 * sqrt(double(dot(settings.gravity, settings.gravity))));
    return range;
}

}  // namespace pliant::solvers::position_based
