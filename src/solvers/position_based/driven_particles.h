// Particles that go where they are told: grabbed ones, and anchors.
#pragma once

#include "model/model.h"
#include "model/state.h"
#include "solvers/position_based/plan.h"

namespace pliant::solvers::position_based {

// Held particles keep their u through a substep: gives them the one that leads to the target.
void aim_driven_particles(const model::Model& model, const Plan& plan, model::State& state, int substeps);
// At the end of the frame: exactly there.
void arrive_driven_particles(const model::Model& model, const Plan& plan, model::State& state);

}  // namespace pliant::solvers::position_based
