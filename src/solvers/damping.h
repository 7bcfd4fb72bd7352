// Two ways to take speed away, per substep.
//
// Damping keeps linear and angular momentum (Müller et al. 2007, §3.5). With the centre x_cm, v_cm,
// L = Σ rᵢ×mᵢvᵢ, I = Σ mᵢ(|rᵢ|²·1 − rᵢrᵢᵀ), ω = I⁻¹L of each island: vᵢ += k·(v_cm + ω×rᵢ − vᵢ). k = 1 leaves
// rigid motion only. Drag, v ← v·(1 − k), takes rigid motion too, falling and spinning. Held particles take
// no part in either. Quasistatic solving is drag of 1.
#pragma once

#include <pliant/description.h>

#include "solvers/motion_sums.h"

namespace pliant::solvers {

class Damping {
public:
    explicit Damping(const Settings& settings);

    bool acts() const { return damping_ > 0 || drag_ > 0; }
    bool needs_sums() const { return damping_ > 0; }
    double drag() const { return drag_; }

    // A range that add_motion takes; motion: of its island, after the substep.
    void give(position_based::ParticleRange& range, const IslandMotion& motion) const;

private:
    double damping_, drag_;  // shares per substep
};

}  // namespace pliant::solvers
