// Chooses the kernels for the machine at hand.
#pragma once

#include <span>
#include <string_view>

#include "solvers/kernels.h"

namespace pliant {

// All that were built and that this CPU can run, narrowest first.
std::span<const Kernels* const> usable_kernels();

// By name; null if there is none such here.
const Kernels* find_kernels(std::string_view name);

}  // namespace pliant
