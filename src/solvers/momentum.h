// Keeps what physics keeps.
//
// Corrections turn about where particles are at the end of a substep, not about where they were at its start.
// With p → x* = p + u → x = x* + c, the moment of the corrections about x is nothing, Σ x×m·c = 0, but the
// angular momentum Σ p×m·u becomes Σ p×m·(u + c): it changes by −Σ u×m·c, which of a body that spins by ω is
// −(ω·h)²·L. So spin decays with the rate ω²·h. And corrections are rounded like positions, which over h are
// velocities that add up.
//
// A connected island in free flight (nothing held, touched or pushed but by gravity) keeps its momenta. What
// is missing of them at the end of a frame is given back, as the rigid motion that has just these momenta: it
// changes no shape, and no elastic energy. Where the frame's drag takes some, that is not given back.
#pragma once

#include <vector>

#include "base/parallel.h"
#include "model/state.h"
#include "solvers/motion_sums.h"
#include "solvers/step_context.h"

namespace pliant::solvers {

class MomentumKeeper {
public:
    MomentumKeeper(const position_based::Plan& plan, model::PositionBasedState& state,
                   const StepContext& context);

    // At the start of a frame.
    void begin();
    // At its end, after so many substeps in which each u got `gravity_step` and then lost the share `drag`.
    void end(int substeps, const Vec3d& gravity_step, double drag);

private:
    void sum();
    position_based::ParticleRange range_of(const position_based::ParticleChunk& chunk) const;

    const position_based::Plan& plan_;
    model::PositionBasedState& state_;
    const StepContext& context_;
    position_based::Workspace& workspace_;
};

}  // namespace pliant::solvers
