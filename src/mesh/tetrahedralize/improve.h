// Makes bad tetrahedra better: by flips, by moving vertices, by taking slivers off the outside.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh/tetrahedralize/fill_result.h"
#include "mesh/tetrahedralize/progress.h"
#include "mesh/tetrahedralize/solid.h"

namespace pliant::mesh {

// Smallest sine of a tetrahedron's dihedral angles, negative if it is inverted: 0 if degenerate, 0.943 if
// regular.
double smallest_sine(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d);

// How a vertex may move.
enum class Freedom : std::uint8_t {
    none,
    surface,  // if on the outside, along the solid's surface
    full,
};

// All positions must be floats, and remain so.
void improve(FillResult& filled, const std::vector<Freedom>& freedom, const Solid& solid, double edge,
             Progress& progress);

}  // namespace pliant::mesh
