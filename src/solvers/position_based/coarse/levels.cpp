#include "solvers/position_based/coarse/levels.h"

#include "base/convert.h"

namespace pliant::solvers::position_based {

void prepare_levels(const model::Model& model, const Plan& plan, const model::State& state,
                    const StepContext& context, double h) {
    Workspace& workspace = context.workspace;
    prepare_cloth(model, plan, state, context.settings, context.materials, h, workspace.softness,
                  workspace.cloth);
    prepare_coarse(plan.coarse, context.settings, context.materials, h, workspace.softness, workspace.coarse);
}

void solve_levels(const Plan& plan, const ParticleArrays& particles, model::PositionBasedState& state,
                  const StepContext& context) {
    Workspace& workspace = context.workspace;
    const double h = double(context.settings.time_step) / context.settings.substeps;
    const ContactArrays contacts = state.contacts.empty()
                                       ? ContactArrays{}
                                       : ContactArrays{state.contacts.data(), state.surfaces.data()};
    if (workspace.cloth.any_active) {
        const FabricLoad load{to_double(context.settings.gravity) * (h * h),
                              state.forces.empty() ? nullptr : state.forces.data(), h * h};
        solve_cloth(plan.cloth, context.materials, context.kernels, particles, contacts, load,
                    workspace.cloth, context.executor);
    }
    if (workspace.coarse.any_active) {
        solve_coarse(plan.coarse, context.kernels, particles, contacts, workspace.coarse, context.executor);
    }
}

}  // namespace pliant::solvers::position_based
