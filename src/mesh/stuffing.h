// Isosurface stuffing: tetrahedra with good angles from a lattice that is cut along a surface.
#pragma once

#include "mesh/filling.h"
#include "mesh/lattice.h"
#include "mesh/progress.h"
#include "mesh/solid.h"

namespace pliant::mesh {

// Cut short where progress says stop.
Filling stuff(const Lattice& lattice, const Solid& solid, Progress& progress);

}  // namespace pliant::mesh
