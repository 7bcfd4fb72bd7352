// Asserts what the solver relies on. For PLIANT_VALIDATE: without assertions they do nothing.
#pragma once

#include "model/model.h"
#include "model/state.h"
#include "solvers/position_based/plan.h"

namespace pliant::solvers::position_based {

// Blocks without a common dynamic particle, work items of a phase that share none and stay within their
// subdomains, islands and chunks that cover the slots, offsets in range.
void validate(const Plan& plan);

// Arrays of a state as long as the plan and the model want them, and numbers that are finite.
void validate(const model::Model& model, const Plan& plan, const model::State& state);

}  // namespace pliant::solvers::position_based
