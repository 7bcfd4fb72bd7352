// The end of a frame, whatever solver made it: repair accidents, move origins along, show the result.
#pragma once

#include "model/model.h"
#include "model/state.h"
#include "solvers/step_context.h"

namespace pliant {

// A particle that is no longer a number, or further away than any scene, returns to where it was last seen,
// at rest. Returns how many of the chunk's there were.
std::uint64_t repair_particles(const Model& model, State& state, const ParticleChunk& chunk);

void publish(const Model& model, State& state, const StepContext& context);

}  // namespace pliant
