// Chooses the kernels for the machine at hand.
#pragma once

#include <span>
#include <string_view>

#include "solvers/position_based/kernels.h"

namespace pliant::solvers::position_based {

// All that were built and that this CPU can run, narrowest first.
std::span<const Kernels* const> usable_kernels();

// By name; null if there is none such here.
const Kernels* find_kernels(std::string_view name);

}  // namespace pliant::solvers::position_based
