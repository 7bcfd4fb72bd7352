// The last part of a substep where nothing may ever cross (ContactQuality::safe).
//
// Between the start p and the end x of a substep every particle moves along a line. If one direction n
// separates two elements at p and at x, it separates them all the time: n·(a − b) is linear too. So each pair
// that could have come near is tested along the direction of its closest points at p:
//
//   gap at p > 0,  bad if  min n·x of the first − max n·x of the second < min(0.1·r, gap − ε)
//
// and what is bad is put right:
//
//   part    some rounds: both sides move along n to a common level, by their inverse masses
//   zones   what is still bad moves as one: the particles of pairs that are linked by bad pairs move by the
//           mean of what they wanted. Inside a zone nothing changes, so nothing crosses. Zones only grow:
//           it ends.
//
// After each round the pairs of every patch that was moved are tested again, over wider lists where a patch
// moved otherwise than the lists have room for. Colliders come before all of it: what is pushed into one here
// comes out in the next substep.
#pragma once

#include "solvers/position_based/contact/contact_step.h"

namespace pliant::solvers::position_based {

// x and u of what is moved change.
void keep_from_crossing(const ContactContext& context);

}  // namespace pliant::solvers::position_based
