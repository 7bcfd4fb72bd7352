// A detailed visible mesh rides on a coarse tetrahedral one.
#pragma once

#include <pliant/error.h>
#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace pliant {

// Where points lie in a tetrahedral mesh: an element and barycentric weights each. A point outside has
// the weights of the nearest element, some of them negative, and follows as if that element went on.
struct Embedding {
    std::vector<Tetrahedron> elements{};          // the four vertices for each point
    std::vector<std::array<float, 4>> weights{};  // sum 1
    float largest_distance = 0;                   // m, of a point outside from its element

    // Where the points are now that the mesh's vertices are here.
    void apply(std::span<const Vec3> vertices, std::span<Vec3> points) const;
};

Result<Embedding> embed(std::span<const Vec3> points, const TetrahedralMesh& mesh);

// Unit normals of vertices: the mean of their triangles' by angle; zero where there is none.
void vertex_normals(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                    std::span<Vec3> normals);

}  // namespace pliant
