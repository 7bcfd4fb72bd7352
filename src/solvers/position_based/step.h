// XPBD and PBD: one loop, one projection rule (projection.h).
#pragma once

#include "model/model.h"
#include "model/state.h"
#include "solvers/position_based/plan.h"
#include "solvers/step_context.h"

namespace pliant::solvers::position_based {

// Advances the state by one frame.
void step(const model::Model& model, const Plan& plan, model::State& state, const StepContext& context);

}  // namespace pliant::solvers::position_based
