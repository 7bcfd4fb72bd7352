// The end of a frame, whatever solver made it: repair accidents, move origins along, show the result.
#pragma once

#include "model/model.h"
#include "model/state.h"
#include "solvers/step_context.h"

namespace pliant {

void publish(const Model& model, State& state, const StepContext& context);

}  // namespace pliant
