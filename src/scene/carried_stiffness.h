// What becomes of the stiffness that a scene asks for.
#pragma once

#include <pliant/description.h>
#include <pliant/view.h>

#include <span>
#include <vector>

#include "model/model.h"
#include "solvers/position_based/plan.h"

namespace pliant {

std::vector<Stiffness> carried_stiffness(const model::Model& model, const solvers::position_based::Plan& plan,
                                         const Settings& settings,
                                         std::span<const model::MaterialValues> materials);

}  // namespace pliant
