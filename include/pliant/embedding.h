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
// the weights of the nearest element, some of them negative, and follows as if that element went on. It
// repeats the motion of the element, magnified by up to largest_weight. Far outside that shows; the mesh
// should enclose the points, or nearly so.
struct Embedding {
    std::vector<Tetrahedron> elements{};          // the four vertices for each point
    std::vector<std::array<float, 4>> weights{};  // sum 1
    float largest_distance = 0;                   // m, of a point outside from its element
    float largest_weight = 0;                     // in magnitude; at most 1 if all points are inside
    std::uint32_t mesh_vertices = 0;              // that the mesh has

    // Where the points are now that the mesh's vertices are here: mesh_vertices of them, and a place for
    // every point. An Error if there are more or fewer.
    Status apply(std::span<const Vec3> vertices, std::span<Vec3> points) const;
};

// Elements may be inverted; those without volume carry no points.
Result<Embedding> embed(std::span<const Vec3> points, const TetrahedralMesh& mesh);

// Unit normals of vertices; zero where there is none. A triangle counts at its corner in the measure of
// sin(angle) / (product of the two sides there) (N. Max, Weights for computing vertex normals from facet
// normals, Journal of Graphics Tools 4, 1999): exact on spheres, and cheaper than the angle itself.
// An Error if there are not as many normals as positions, or a corner does not exist.
Status vertex_normals(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                      std::span<Vec3> normals);

}  // namespace pliant
