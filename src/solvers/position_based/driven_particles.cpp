#include "solvers/position_based/driven_particles.h"

#include "base/particle_layout.h"

namespace pliant::solvers::position_based {
namespace {

// In the frame of its island.
Vec3d target_of(const model::Model& model, const model::State& state, const model::DrivenParticle& driven) {
    return driven.target - state.origins[model.island_of[driven.particle]];
}

}  // namespace

void aim_driven_particles(const model::Model& model, const Plan& plan, model::State& state, int substeps) {
    for (const model::DrivenParticle& driven : state.driven) {
        const std::size_t at = plan.slot_of[driven.particle] * floats_per_particle;
        const float* x = state.position_based.position.data() + at;
        float* u = state.position_based.displacement.data() + at;
        const Vec3d way = target_of(model, state, driven) - Vec3d{x[0], x[1], x[2]};
        u[0] = static_cast<float>(way.x / substeps);
        u[1] = static_cast<float>(way.y / substeps);
        u[2] = static_cast<float>(way.z / substeps);
    }
}

void arrive_driven_particles(const model::Model& model, const Plan& plan, model::State& state) {
    for (const model::DrivenParticle& driven : state.driven) {
        const Vec3d target = target_of(model, state, driven);
        float* x = state.position_based.position.data() + plan.slot_of[driven.particle] * floats_per_particle;
        x[0] = static_cast<float>(target.x);
        x[1] = static_cast<float>(target.y);
        x[2] = static_cast<float>(target.z);
    }
}

}  // namespace pliant::solvers::position_based
