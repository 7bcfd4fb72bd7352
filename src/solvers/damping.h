// Two ways to take speed away.
#pragma once

#include "base/parallel.h"
#include "model/state.h"
#include "solvers/position_based/plan.h"
#include "solvers/rigid_motion.h"

namespace pliant::solvers {

// Keeps linear and angular momentum (Müller et al. 2007, §3.5). With the centre x_cm, v_cm, L = Σ rᵢ×mᵢvᵢ,
// I = Σ mᵢ(|rᵢ|²·1 − rᵢrᵢᵀ), ω = I⁻¹L of each island: vᵢ += k·(v_cm + ω×rᵢ − vᵢ). k = 1 leaves rigid motion
// only. Held particles take no part.
void damp_velocities(const position_based::Plan& plan, model::PositionBasedState& state, float k,
                     RigidMotionSums& sums, Executor& executor);

// v ← v·(1 − k): takes rigid motion too, falling and spinning. Held particles take no part.
void drag_velocities(const position_based::Plan& plan, model::PositionBasedState& state, float k,
                     Executor& executor);

}  // namespace pliant::solvers
