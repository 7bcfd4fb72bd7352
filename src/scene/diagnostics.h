// Energies, momenta and errors of a state, in double precision, from the same formulas that move it.
#pragma once

#include <pliant/description.h>
#include <pliant/view.h>

#include <span>

#include "model/model.h"
#include "model/state.h"
#include "solvers/position_based/plan.h"

namespace pliant {

Diagnostics diagnose(const model::Model& model, const solvers::position_based::Plan& plan,
                     const model::State& state, const Settings& settings,
                     std::span<const model::MaterialValues> materials);

}  // namespace pliant
