// Tetrahedra that fill a solid.
#pragma once

#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <vector>

#include "mesh/tetrahedralize/progress.h"

namespace pliant::mesh {

struct FillResult {
    std::vector<Vec3d> positions{};
    std::vector<Tetrahedron> tetrahedra{};
    bool simple = true;  // the surface winds around all points inside once and the same way
};

class Filler {
public:
    Filler() = default;
    Filler(const Filler&) = delete;
    Filler& operator=(const Filler&) = delete;
    virtual ~Filler() = default;

    // Of the solid, and of what is around parts of its surface between which there is too little to hold
    // tetrahedra. Cut short where progress says stop.
    virtual FillResult fill(const TriangleMesh& thin, Progress& progress) const = 0;
};

}  // namespace pliant::mesh
