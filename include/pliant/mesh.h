// Meshes as plain lists of points and elements, and how their elements meet.
#pragma once

#include <pliant/vector.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace pliant {

using Edge = std::array<std::uint32_t, 2>;
using Triangle = std::array<std::uint32_t, 3>;
using Tetrahedron = std::array<std::uint32_t, 4>;

struct Vec2 {
    float x = 0, y = 0;
    friend bool operator==(const Vec2&, const Vec2&) = default;
};

// Normals and texture coordinates belong to the corners of triangles: a seam in the texture or a sharp edge
// needs no second copy of a vertex.
struct TriangleMesh {
    std::vector<Vec3> positions{};  // m
    std::vector<Triangle> triangles{};
    std::vector<std::array<Vec3, 3>> normals{};              // empty, or one for each triangle
    std::vector<std::array<Vec2, 3>> texture_coordinates{};  // empty, or one for each triangle
};

// A tetrahedron (a, b, c, d) is positive when (b−a)×(c−a)·(d−a) > 0.
struct TetrahedralMesh {
    std::vector<Vec3> positions{};  // m
    std::vector<Tetrahedron> tetrahedra{};
};

// Every edge once, as {smaller, larger} index, in ascending order.
std::vector<Edge> unique_edges(std::span<const Triangle> triangles);
std::vector<Edge> unique_edges(std::span<const Tetrahedron> tetrahedra);

// The two vertices that face each other across every inner edge of a triangle mesh.
std::vector<Edge> opposite_vertices(std::span<const Triangle> triangles);

// A side's number is 3 · triangle + k, where it runs from corner k to corner k + 1 of its triangle.
inline constexpr std::uint32_t no_neighbour = 0xffffffff;        // the side is on the boundary
inline constexpr std::uint32_t several_neighbours = 0xfffffffe;  // three triangles or more meet there

// For each side of each triangle, the number of the side that it meets. A triangle with a repeated corner
// has no neighbours and is nobody's. Fewer than 2^32 / 3 triangles.
std::vector<std::array<std::uint32_t, 3>> triangle_neighbours(std::span<const Triangle> triangles);

// Triangles that hang together by edges, whatever their number at an edge; a common vertex is not enough.
struct Components {
    std::uint32_t count = 0;
    std::vector<std::uint32_t> of_triangle{};  // numbered in the order of their first triangles
};
Components connected_components(std::span<const Triangle> triangles);

// Edges of one triangle each, end to end, in the direction of the first one's triangle. At a vertex where
// several loops touch, each goes on along its own fan of triangles. A fan can end at an edge of several
// neighbours, though: there the loop stays open.
struct BoundaryLoop {
    std::vector<std::uint32_t> vertices{};  // the first is not said again at the end
    bool closed = true;                     // an edge joins the last vertex to the first
};
std::vector<BoundaryLoop> boundary_loops(std::span<const Triangle> triangles);

// The faces that belong to one tetrahedron only, turned outward.
std::vector<Triangle> surface_triangles(std::span<const Tetrahedron> tetrahedra);

}  // namespace pliant
