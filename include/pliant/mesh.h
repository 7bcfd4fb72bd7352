// Meshes as plain lists of points and elements, and shapes to start from.
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

struct TriangleMesh {
    std::vector<Vec3> positions;  // m
    std::vector<Triangle> triangles;
};

// A tetrahedron (a, b, c, d) is positive when (b−a)×(c−a)·(d−a) > 0.
struct TetrahedralMesh {
    std::vector<Vec3> positions;  // m
    std::vector<Tetrahedron> tetrahedra;
};

// A box of cells[0] × cells[1] × cells[2] cells, six tetrahedra a cell, centred at the origin.
TetrahedralMesh make_box(Vec3 size, std::array<int, 3> cells);

// A sheet of columns × rows cells in the xz plane, two triangles a cell, centred at the origin.
// Point (column, row) has index row · (columns + 1) + column.
TriangleMesh make_sheet(float width, float depth, int columns, int rows);

// count + 1 points from one end to the other.
std::vector<Vec3> make_line(Vec3 from, Vec3 to, int count);

// Every edge once, as {smaller, larger} index, in ascending order.
std::vector<Edge> unique_edges(std::span<const Triangle> triangles);
std::vector<Edge> unique_edges(std::span<const Tetrahedron> tetrahedra);

// The two vertices that face each other across every inner edge of a triangle mesh.
std::vector<Edge> opposite_vertices(std::span<const Triangle> triangles);

// The faces that belong to one tetrahedron only, turned outward.
std::vector<Triangle> surface_triangles(std::span<const Tetrahedron> tetrahedra);

}  // namespace pliant
