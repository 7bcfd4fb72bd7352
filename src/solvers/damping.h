// Damping that keeps linear and angular momentum (Müller et al. 2007, §3.5).
#pragma once

#include "base/parallel.h"
#include "model/model.h"
#include "model/state.h"

namespace pliant {

// With the centre x_cm, v_cm, L = Σ rᵢ×mᵢvᵢ, I = Σ mᵢ(|rᵢ|²·1 − rᵢrᵢᵀ), ω = I⁻¹L of each group:
// vᵢ += k·(v_cm + ω×rᵢ − vᵢ). k = 1 leaves rigid motion only. Held particles take no part.
void damp_velocities(const Model& model, State& state, float k, Executor& executor);

}  // namespace pliant
