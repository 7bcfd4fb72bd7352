// Tetrahedra that fill a solid.
#pragma once

#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <vector>

namespace pliant::mesh {

struct Filling {
    std::vector<Vec3d> positions{};
    std::vector<Tetrahedron> tetrahedra{};
    bool simple = true;  // the surface winds around all points inside once and the same way
};

}  // namespace pliant::mesh
