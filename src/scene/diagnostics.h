// Energies, momenta and errors of a state, in double precision, from the same formulas that move it.
#pragma once

#include <pliant/description.h>
#include <pliant/view.h>

#include <span>

#include "model/model.h"
#include "model/state.h"

namespace pliant {

Diagnostics diagnose(const Model& model, const State& state, const Settings& settings,
                     std::span<const Elasticity> elasticities);

}  // namespace pliant
