// How the patches of contact move in a substep: the first half of contact_step.h.
#pragma once

#include <span>

#include "solvers/position_based/contact/contact_step.h"

namespace pliant::solvers::position_based {

inline constexpr std::size_t group_size = 16;  // patches of a node
// Pairs that are a little further apart than they may be are watched too, and all that could come nearer if
// others push them as far as they have moved. Of the distance at which they touch:
inline constexpr double watched_share = 0.1;
// What rounding may hide, over the size of an island or its distance from another.
inline constexpr double rounding = 1e-6;

inline Vec3 vector(const float* f) { return {f[0], f[1], f[2]}; }

// Of half a body's thickness: what may be added to the motion of a patch before lists are looked at again.
inline constexpr double spare_share = 0.2;
inline constexpr float widening = 1.1f;  // of a motion for which there was no room

// Starts, motions, drifts, shapes, and boxes up to the root of the tree.
void move_patches(const ContactContext& context, bool is_first_iteration);

// How patches, or those given, have moved by now. False: some moved otherwise than boxes and lists have room
// for. Boxes then have that room.
bool measure_patches(const ContactContext& context);
bool measure_patches(const ContactContext& context, std::span<const std::uint32_t> patches);

}  // namespace pliant::solvers::position_based
