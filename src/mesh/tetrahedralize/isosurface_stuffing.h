// Isosurface stuffing: tetrahedra with good angles from a lattice that is cut along a surface.
#pragma once

#include <memory>

#include "mesh/tetrahedralize/fill_result.h"
#include "mesh/tetrahedralize/lattice.h"
#include "mesh/tetrahedralize/progress.h"
#include "mesh/tetrahedralize/solid.h"

namespace pliant::mesh {

// Keeps references to the lattice and the solid.
std::unique_ptr<Filler> make_lattice_filler(const Lattice& lattice, const Solid& solid, Progress& progress);

}  // namespace pliant::mesh
