// The end of a frame, whatever solver made it: repair accidents, move origins along, show the result.
#pragma once

#include "model/state.h"
#include "solvers/position_based/plan.h"
#include "solvers/step_context.h"

namespace pliant::solvers {

// A particle that is no longer a number, or further away than any scene, returns to where it was last seen,
// at rest. Returns how many of the chunk's there were.
std::uint64_t repair_particles(const model::Model& model, const position_based::Plan& plan,
                               model::State& state, const position_based::ParticleChunk& chunk);

void write_view(const model::Model& model, const position_based::Plan& plan, model::State& state,
                const StepContext& context);

}  // namespace pliant::solvers
