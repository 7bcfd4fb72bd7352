// What a sweep over constraints cannot carry in one substep: the coarse level of stiff solids
// (coarse/coarse_level.h) and the levels of cloth (cloth/cloth_levels.h).
#pragma once

#include "model/model.h"
#include "model/state.h"
#include "solvers/position_based/plan.h"
#include "solvers/step_context.h"

namespace pliant::solvers::position_based {

// At the start of a frame of substeps of h seconds, once the softness of all parts is known.
void prepare_levels(const model::Model& model, const Plan& plan, const model::State& state,
                    const StepContext& context, double h);

inline bool any_level(const Workspace& workspace) {
    return workspace.coarse.any_active || workspace.cloth.any_active;
}

// Moves all predicted positions, before constraints see them.
void solve_levels(const Plan& plan, const ParticleArrays& particles, model::PositionBasedState& state,
                  const StepContext& context);

}  // namespace pliant::solvers::position_based
