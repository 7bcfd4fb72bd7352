// What levels push out of contacts, for those who want to know. A level knows that a particle touches
// something, not what: nodes push, and each push is shared among the particles that touch around the node, by
// their weights there; what they touch is what they were last seen at.
#pragma once

#include "solvers/position_based/coarse/coarse_step.h"
#include "solvers/position_based/contact/contact_step.h"

namespace pliant::solvers::position_based {

// At the end of a substep, when its contacts are known.
void report_levels(const Plan& plan, const model::State& state, const CoarseWorkspace& coarse,
                   const ParticleArrays& particles, ContactWorkspace& contact);

}  // namespace pliant::solvers::position_based
