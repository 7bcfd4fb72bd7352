// Two ways to take speed away, per substep.
//
// Damping keeps linear and angular momentum (Müller et al. 2007, §3.5). With the centre x_cm, v_cm,
// L = Σ rᵢ×mᵢvᵢ, I = Σ mᵢ(|rᵢ|²·1 − rᵢrᵢᵀ), ω = I⁻¹L of each island: vᵢ += k·(v_cm + ω×rᵢ − vᵢ). k = 1 leaves
// rigid motion only. Drag, v ← v·(1 − k), takes rigid motion too, falling and spinning. Held particles take
// no part in either. Quasistatic solving is drag of 1.
//
// Sums take two passes over the particles instead of one, so damping acts after every second substep, and
// after the last of a frame: by as much more.
#pragma once

#include <pliant/description.h>

#include "solvers/motion_sums.h"

namespace pliant::solvers {

class Damping {
public:
    explicit Damping(const Settings& settings);

    bool needs_sums() const { return damping_ > 0; }
    // Whether motion is damped after that substep of a frame.
    bool is_due(int substep, bool is_last) const { return needs_sums() && (substep % 2 == 1 || is_last); }
    double drag() const { return drag_; }

    // A range that add_motion takes. motion: of its island, after the substep; null: drag alone.
    void give(position_based::ParticleRange& range, const IslandMotion* motion) const;

private:
    double damping_;  // share each time it is due
    double drag_;     // share per substep
};

}  // namespace pliant::solvers
