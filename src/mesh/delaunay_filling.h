// Fills a solid with Delaunay tetrahedra of points on its surface and of a lattice inside.
#pragma once

#include <pliant/mesh.h>

#include "mesh/filling.h"
#include "mesh/lattice.h"
#include "mesh/progress.h"
#include "mesh/solid.h"

namespace pliant::mesh {

// Cut short where progress says stop.
Filling fill_by_delaunay(const TriangleMesh& surface, const Lattice& lattice, const Solid& solid,
                         Progress& progress);

}  // namespace pliant::mesh
