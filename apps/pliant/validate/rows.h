// Lists of rows and curves that cases have in common.
#pragma once

#include <functional>
#include <initializer_list>
#include <span>
#include <vector>

#include "pliant/validate/case.h"
#include "pliant/validate/solid.h"

namespace pliant::app::validation {

// Energies that follow Young's modulus and Poisson's ratio; springs do so only roughly.
inline constexpr Energy elements[] = {Energy::arap, Energy::neo_hookean, Energy::stvk};
inline constexpr Energy all_energies[] = {Energy::arap, Energy::neo_hookean, Energy::stvk, Energy::springs};

// A row for each energy and resolution, else alike.
std::vector<Setup> product(const Setup& common, std::span<const Energy> energies,
                           std::initializer_list<int> across);
void append(std::vector<Setup>& rows, const std::vector<Setup>& more);

// Adds what is known at rest: inverted tetrahedra, one value a layer (over a height that the layers divide
// evenly), and what theory says at these places.
void finish(Measurement& result, const Solid& solid, double height, const std::vector<double>& values,
            const std::function<double(double)>& theory);

}  // namespace pliant::app::validation
