// How the patches of contact move in a substep: the first half of contact_step.h.
#pragma once

#include "solvers/position_based/contact/contact_step.h"

namespace pliant::solvers::position_based {

inline constexpr std::size_t group_size = 16;  // patches of a node
// Pairs that are a little further apart than they may be are watched too, and all that could come nearer if
// others push them as far as they have moved. Of the distance at which they touch:
inline constexpr double watched_share = 0.1;
// What rounding may hide, over the size of an island or its distance from another.
inline constexpr double rounding = 1e-6;

inline Vec3 vector(const float* f) { return {f[0], f[1], f[2]}; }

// Starts, motions, drifts, shapes, and boxes up to the root of the tree.
void move_patches(const Plan& plan, const model::State& state, const Kernels& kernels,
                  const ParticleArrays& particles, ContactWorkspace& workspace, Executor& executor);

}  // namespace pliant::solvers::position_based
