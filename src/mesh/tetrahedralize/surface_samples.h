// Points on a surface, evenly apart.
#pragma once

#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <cstdint>
#include <vector>

#include "mesh/tetrahedralize/lattice.h"

namespace pliant::mesh {

struct SurfaceSample {
    Vec3d position{};    // of floats
    bool fixed = false;  // at a corner or along a crease: must not slide
};

// No two nearer than `apart`; every vertex of the surface within `apart` of one. The surface's own vertices
// come first, those at corners and creases before all others, then points along creases, then on triangles
// that are larger. The lattice, with a spacing of at least `apart`, covers the surface.
std::vector<SurfaceSample> sample_surface(const TriangleMesh& surface, const Lattice& lattice, double apart);

}  // namespace pliant::mesh
