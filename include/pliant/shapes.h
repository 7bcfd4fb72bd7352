// Shapes to start from.
#pragma once

#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <array>
#include <vector>

namespace pliant {

// A box of cells[0] × cells[1] × cells[2] cells, six tetrahedra a cell, centred at the origin.
TetrahedralMesh make_box(Vec3 size, std::array<int, 3> cells);

// A sheet of columns × rows cells in the xz plane, two triangles a cell, centred at the origin.
// Point (column, row) has index row · (columns + 1) + column.
TriangleMesh make_sheet(float width, float depth, int columns, int rows);

// count + 1 points from one end to the other.
std::vector<Vec3> make_line(Vec3 from, Vec3 to, int count);

}  // namespace pliant
