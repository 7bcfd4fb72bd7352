// How much hinges must be stiffened for a cloth to bend as its material says.
//
// A hinge across each edge is a discretization of plates that does not converge: between the edges that a
// bend asks for, particles give way to and fro. Squares with diagonals in turn are 17 to 25 % too soft,
// triangles of equal sides 11 %, irregular ones a few per cent to either side (docs/theory/fabrics.md). So a
// piece of the mesh is bent by a uniform moment m along the warp, and along the weft,
//
//   Q·x = f,   Q = Σ B_e·|e|²/(A₁ + A₂)·k·kᵀ,   f = Σ m_nn·|e|·k,   m_nn = m·n_u²
//
// and gives way as a sheet of stiffness B' = m²·A/(fᵀx) would. With B/B' the stiffness of that direction is
// multiplied, some times over, as both depend on each other.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/convert.h"

namespace pliant::bodies {

// An inner edge of the mesh with its wings, unfolded.
struct CalibrationHinge {
    std::array<std::uint32_t, 4> particles{};
    std::array<double, 4> k{};  // 1/m, of hinges (docs/theory/fabrics.md)
    double length = 0;          // m, of the edge
    double areas = 0;           // m², of both triangles
    double along_weft = 0;      // n_v²: how much the direction across the edge is the weft's
};

struct BendingScales {
    double warp = 1, weft = 1;
};

// √B = √B_u·n_u² + √B_v·n_v²
double bending_across(double along_weft, double of_warp, double of_weft);

// triangles: of the whole cloth; particles: how many it has.
BendingScales calibrate_bending(std::span<const CalibrationHinge> hinges,
                                std::span<const std::array<std::uint32_t, 3>> triangles,
                                std::span<const double> triangle_areas, std::size_t particles, double of_warp,
                                double of_weft);

}  // namespace pliant::bodies
