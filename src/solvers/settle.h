// What lies on something and hardly moves comes to rest (docs/theory/rest.md).
//
// Undamped bodies tremble for long, and contacts that open and close keep them trembling. So for each island
// that touches something and whose speed (RMS) stays below 0.07·√(g·size), for longer than half a
// second, each particle loses, once per frame, a share of what its velocity v differs from its mean w over
// the last fifth of a second:
//
//     w += (v − w)·Δt/(Δt + τ),   v −= (v − w)·kΔt/(1 + kΔt)
//
// What is steady has v = w and stays as it is, so friction holds and lets go at the same slope.
//
// Then it rests: if the mean of each particle's places over half a second is where that over the half second
// before was, and so for all that it touches, it stays where it is. Each frame is computed as ever and then
// taken back: the velocities that it would have had are remembered, and as long as nothing changes, they are
// the same bits in every frame. Where they are not (something touches it, leaves it, moves under it), it
// moves on.
#pragma once

#include "model/model.h"
#include "model/state.h"
#include "solvers/position_based/plan.h"

namespace pliant::solvers {

struct StepContext;

// At the start of a frame: what was moved, pinned, pushed or let go since the last one does not rest, and
// nothing does where gravity has changed.
void wake_what_was_changed(const position_based::Plan& plan, model::State& state, const Settings& settings);

// At the end of a frame that lasted so many seconds.
void settle(const model::Model& model, const position_based::Plan& plan, model::State& state,
            const StepContext& context, double seconds);

}  // namespace pliant::solvers
