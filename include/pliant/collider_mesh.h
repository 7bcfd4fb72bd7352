// Triangle meshes and height fields made ready to be colliders. Made once, they never change: any number of
// colliders may share one.
#pragma once

#include <pliant/error.h>
#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <memory>
#include <span>
#include <vector>

namespace pliant {

class ColliderMesh;
using ColliderMeshPointer = std::shared_ptr<const ColliderMesh>;

// A closed surface is solid inside, by its winding number, whichever way it faces; particles rest on it with
// a gap of 2·10⁻⁵ of its extent. An open one is a shell with that thickness (m), half to each side; 0 stands
// for 1/200 of its extent.
Result<ColliderMeshPointer> make_collider_mesh(const TriangleMesh& mesh, float thickness = 0);

// Poses of one mesh: the same triangles with other positions, which move evenly from pose to pose.
Result<ColliderMeshPointer> make_collider_mesh(std::span<const TriangleMesh> poses, float thickness = 0);

// Heights above the plane y = 0 at (columns + 1)·(rows + 1) points, x running fastest, `spacing` apart (m),
// with their middle at the origin. Solid below, as deep as the field is wide.
struct Heights {
    int columns = 1, rows = 1;
    float spacing = 1;             // m
    std::vector<float> heights{};  // m
};
Result<ColliderMeshPointer> make_height_field(const Heights& heights);

// What a mesh turned out to be.
bool is_closed(const ColliderMesh& mesh);
float thickness_of(const ColliderMesh& mesh);  // m, of an open one; 0 of a closed one
std::size_t poses_of(const ColliderMesh& mesh);

}  // namespace pliant
