// XPBD and PBD: one loop, one projection rule (solvers/projection.h).
#pragma once

#include "model/model.h"
#include "model/state.h"
#include "solvers/step_context.h"

namespace pliant {

// Advances the state by one frame.
void step_position_based(const Model& model, State& state, const StepContext& context);

}  // namespace pliant
