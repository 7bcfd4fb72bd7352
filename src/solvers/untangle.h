// Mends tetrahedra that stay inside out.
//
// Edges and volumes have resting shapes that are not the body's: a corner that went through the opposite face
// keeps its distances there, and its neighbours hold it. Tetrahedra are scanned twice a second, more often
// while some are inside out. What is so at two scans in a row is stuck: its corners are rebuilt as in the
// rest shape, turned as their surroundings are. They keep their momentum; what they moved against each other
// is gone.
#pragma once

#include <cstdint>
#include <vector>

#include "base/parallel.h"
#include "model/model.h"
#include "model/state.h"
#include "solvers/position_based/plan.h"
#include "solvers/untangler.h"

namespace pliant::solvers {

// A body that is too weak to stay whole, by too few substeps, is not rebuilt for ever: it has so many tries,
// and one more now and then.
inline constexpr std::uint8_t most_tries = 24;
inline constexpr double seconds_for_a_try = 8.5;

inline constexpr double seconds_between_scans = 8.0 / 15, seconds_between_close_scans = 2.0 / 15;

// Scratch memory: a scan allocates nothing unless more is inside out than ever before.
struct UntanglingMemory {
    std::vector<std::uint32_t> inverted;  // tetrahedra; what a chunk finds is from where the chunk begins
    std::vector<std::uint32_t> found;     // how many, in each chunk
    std::vector<model::UntanglingState::Inverted> now;
    std::vector<Untangler::Stuck> stuck;
    std::vector<std::uint8_t> tried;  // of each island
};

// At the end of a frame: scans if it is time to, and rebuilds what is stuck.
void untangle(const model::Model& model, const position_based::Plan& plan, model::State& state,
              UntanglingMemory& memory, Executor& executor);

}  // namespace pliant::solvers
