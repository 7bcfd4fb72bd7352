// Fills a solid with Delaunay tetrahedra of points on its surface and of a lattice inside.
#pragma once

#include <pliant/mesh.h>

#include <memory>

#include "mesh/tetrahedralize/fill_result.h"
#include "mesh/tetrahedralize/lattice.h"
#include "mesh/tetrahedralize/progress.h"
#include "mesh/tetrahedralize/solid.h"

namespace pliant::mesh {

// Keeps references to the lattice and the solid.
std::unique_ptr<Filler> make_delaunay_filler(const TriangleMesh& surface, const Lattice& lattice,
                                             const Solid& solid, Progress& progress);

}  // namespace pliant::mesh
