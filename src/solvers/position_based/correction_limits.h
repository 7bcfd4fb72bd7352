// How fast constraints may make particles.
#pragma once

#include "model/model.h"
#include "model/state.h"
#include "solvers/position_based/plan.h"
#include "solvers/step_context.h"

namespace pliant::solvers::position_based {

// A tetrahedron that is crushed to a point would fling its particles to infinity, a body that was
// squashed flat would shoot off: constraints make nothing faster than the correction speed, or than
// something in the island was a moment ago, so that bodies bounce. Contact has no limit. Called at the start
// of a frame, for substeps of h seconds; fills the workspace's limits.
void limit_corrections(const model::Model& model, const Plan& plan, model::State& state,
                       const StepContext& context, double h);

// What was inside a collider lies pressed against its surface once it is out. So that it does not leap, its
// island gets back into shape at half the correction speed, for a second. Called after each substep.
void slow_what_came_out(const model::Model& model, const Plan& plan, model::State& state,
                        const StepContext& context, double h);

// A new substep length h leaves velocities as they are.
void rescale_displacements(model::PositionBasedState& particles, double h);

}  // namespace pliant::solvers::position_based
