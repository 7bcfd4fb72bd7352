// What to draw of a collider.
#pragma once

#include <pliant/description.h>
#include <pliant/mesh.h>

#include <vector>

namespace pliant::output {

// With normals at the vertices: where an edge is sharp, a point has several.
struct ColliderMesh {
    std::vector<Vec3> positions{}, normals{};  // positions: m, relative to the centre
    std::vector<Triangle> triangles{};
};

// What is endless is cut off at `extent` from the centre.
ColliderMesh mesh_of(const ColliderShape& shape, Vec3d center, double extent);

}  // namespace pliant::output
