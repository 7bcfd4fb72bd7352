// Brings bodies of tetrahedra back to their shape when they stay inside out.
//
// Some folds hold themselves: to open, every element around them would have to pass through flat. A body with
// elements inside out for longer than a moment is drawn, as a whole, to its rest shape where that fits best
// (docs/theory/rescue.md). A timer of each body, in seconds, decides; while nothing is inside out, no bit of
// the motion changes.
#pragma once

#include <cstdint>
#include <vector>

#include "model/model.h"
#include "model/state.h"
#include "solvers/position_based/plan.h"
#include "solvers/rigid_fit.h"
#include "solvers/rigid_motion.h"

namespace pliant::solvers {

struct StepContext;

// Scratch memory.
struct RescueSums {
    FitSums dynamic, held;
    Moments motion;  // of what is dynamic
    Vec3d shift;     // Σ m·way, of the same, when it was drawn
};
struct RescueMemory {
    std::vector<RescueSums> sums;          // of each chunk of a body's particles
    std::vector<std::uint32_t> inverted;   // of each chunk of tetrahedra
    std::vector<std::uint32_t> of_bodies;  // the same, of each body
};

// At the end of a frame that lasted so many seconds: counts what is inside out, runs the timers, and draws
// bodies that are in need to their shape.
void rescue(const model::Model& model, const position_based::Plan& plan, model::State& state,
            const StepContext& context, double seconds);

// How fast constraints may make an island that is so fast: as fast as it is, so that it bounces. But what
// crosses a quarter of itself in a substep of h seconds meets nothing in time and is squashed, not bent: it
// does not bounce, nor does what is being drawn to its shape.
double bounce_speed(const model::Model& model, model::State& state, std::size_t island, double speed,
                    double h);

}  // namespace pliant::solvers
