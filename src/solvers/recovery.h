// How a body comes back from what projection alone does not mend.
//
// Crushed: of a body that was squashed flat, volumes that are rigid restore all at once.
// The body would shoot off at many times its size per second, with soft or viscous edges left in creases.
// Until it has its volume back, all of its constraints are rigid, and it moves as one, no faster than it
// would have fallen.
//
// Stuck: edges and volumes have resting shapes that are not the body's. A corner that went through the
// opposite face keeps its distances there, and its neighbours hold it.
#pragma once

#include <vector>

#include "base/parallel.h"
#include "model/model.h"
#include "model/state.h"

namespace pliant {

// Tetrahedra are looked at once in so many frames, four times as often while some are inside out. What is
// so at two looks in a row is stuck.
inline constexpr std::uint64_t frames_between_looks = 32;

inline bool look_is_due(const State& state) {
    return state.frame % (state.inverted.empty() ? frames_between_looks : frames_between_looks / 4) == 0;
}

// A body that is too weak to stay whole, by too few substeps, is not laid out for ever: it has so many tries,
// again after a squash, and else one more in so many frames.
inline constexpr std::uint8_t most_tries = 24;
inline constexpr std::uint64_t frames_for_a_try = 512;

// A crushed body is rigid for no longer than this, and restrained only at first: what holds it down may stay.
inline constexpr std::uint8_t frames_of_recovery = 120, frames_of_restraint = 48;

// The group was squashed flat.
void crush(const Model& model, State& state, std::uint32_t group);

// Lays the corners of stuck tetrahedra out anew: as in the rest shape, turned as their surroundings are. They
// keep their momentum; what they moved against each other is gone.
void recover(const Model& model, State& state, Executor& executor);

// Looks again at groups that are crushed: before every frame.
void look_at_crushed(const Model& model, State& state, Executor& executor);

// Substep by substep, takes the speed that crushed groups gain by their recovery.
class Restraint {
public:
    Restraint(const Model& model, State& state);
    bool is_needed() const { return !groups_.empty(); }
    // fall: what gravity adds to a displacement per substep.
    void apply(const Vec3d& fall);

private:
    struct Crushed {
        const Group* group;
        Vec3d u;  // the mean at the end of the last substep
    };
    State& state_;
    std::vector<Crushed> groups_;
};

}  // namespace pliant
