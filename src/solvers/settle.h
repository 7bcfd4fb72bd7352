// Bodies that touch something come to rest.
//
// Without any loss a body that lies somewhere trembles for ever. An island that touches another or a
// collider, and in which nothing is faster than a limit, loses a small share of all but its rigid motion in a
// frame:
//
//   vᵢ += k·(v_cm + ω×rᵢ − vᵢ),   k = 12/s·Δt·min(1, 3 − 3·v_max/0.2 m/s)
//
// and of its rigid motion the share k·(1 − v_max/0.03 m/s), if that is positive. So what slides, rolls or
// falls keeps its speed unless it hardly moves, and what is fast is left alone. So are grains, and all bodies
// where contact is off.
#pragma once

#include "solvers/step_context.h"

namespace pliant::solvers {

// At the end of a frame; h: its substep.
void settle(const position_based::Plan& plan, model::PositionBasedState& state, const StepContext& context,
            double h);

}  // namespace pliant::solvers
