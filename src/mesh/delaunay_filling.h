// Fills a solid with Delaunay tetrahedra of points on its surface and of a lattice inside.
#pragma once

#include <pliant/mesh.h>

#include <memory>

#include "mesh/filling.h"
#include "mesh/lattice.h"
#include "mesh/progress.h"
#include "mesh/solid.h"

namespace pliant::mesh {

// Keeps references to the lattice and the solid.
std::unique_ptr<Filler> make_delaunay_filler(const TriangleMesh& surface, const Lattice& lattice,
                                             const Solid& solid, Progress& progress);

}  // namespace pliant::mesh
