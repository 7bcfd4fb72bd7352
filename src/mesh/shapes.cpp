#include <pliant/shapes.h>

#include <cassert>
#include <cstddef>

namespace pliant {
namespace {

// Point i of 0 … count along a length centred at 0. In double, rounded once: mirror images agree,
// and the ends are exact.
float grid_point(float length, int i, int count) {
    return static_cast<float>((2.0 * i - count) * length / (2.0 * count));
}

// Kuhn's (Freudenthal's) split: each order of the axes is a path from corner (0,0,0) of the cell to
// corner (1,1,1), and its four corners are a tetrahedron. All six share the main diagonal, and cells
// side by side split their common face along the same diagonal. An odd order gives a negative
// tetrahedron, so two of its corners are swapped. Corners are bits: x 1, y 2, z 4.
constexpr std::size_t kuhn_corners[6][4] = {
    {0, 1, 3, 7},  // x y z
    {0, 2, 6, 7},  // y z x
    {0, 4, 5, 7},  // z x y
    {0, 5, 1, 7},  // x z y
    {0, 3, 2, 7},  // y x z
    {0, 6, 4, 7},  // z y x
};

}  // namespace

TetrahedralMesh make_box(Vec3 size, std::array<int, 3> cells) {
    assert(cells[0] > 0 && cells[1] > 0 && cells[2] > 0);
    const std::size_t nx = static_cast<std::size_t>(cells[0]), ny = static_cast<std::size_t>(cells[1]),
                      nz = static_cast<std::size_t>(cells[2]);
    const std::size_t row = nx + 1, layer = row * (ny + 1);

    TetrahedralMesh mesh;
    mesh.positions.reserve(layer * (nz + 1));
    for (int z = 0; z <= cells[2]; ++z) {
        for (int y = 0; y <= cells[1]; ++y) {
            for (int x = 0; x <= cells[0]; ++x) {
                mesh.positions.push_back({grid_point(size.x, x, cells[0]), grid_point(size.y, y, cells[1]),
                                          grid_point(size.z, z, cells[2])});
            }
        }
    }

    mesh.tetrahedra.reserve(6 * nx * ny * nz);
    for (std::size_t z = 0; z < nz; ++z) {
        for (std::size_t y = 0; y < ny; ++y) {
            for (std::size_t x = 0; x < nx; ++x) {
                const auto point = [&](std::size_t corner) {
                    const std::size_t dx = corner & 1, dy = corner >> 1 & 1, dz = corner >> 2;
                    return static_cast<std::uint32_t>((z + dz) * layer + (y + dy) * row + x + dx);
                };
                for (const auto& c : kuhn_corners) {
                    mesh.tetrahedra.push_back({point(c[0]), point(c[1]), point(c[2]), point(c[3])});
                }
            }
        }
    }
    return mesh;
}

TriangleMesh make_sheet(float width, float depth, int columns, int rows) {
    assert(columns > 0 && rows > 0);
    TriangleMesh mesh;
    mesh.positions.reserve(static_cast<std::size_t>(columns + 1) * static_cast<std::size_t>(rows + 1));
    for (int row = 0; row <= rows; ++row) {
        for (int column = 0; column <= columns; ++column) {
            mesh.positions.push_back({grid_point(width, column, columns), 0, grid_point(depth, row, rows)});
        }
    }

    // Diagonals alternate, so that no direction is stiffer than its mirror image. Triangles face +y.
    mesh.triangles.reserve(2 * static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
    const std::uint32_t stride = static_cast<std::uint32_t>(columns) + 1;
    for (std::uint32_t row = 0; row < static_cast<std::uint32_t>(rows); ++row) {
        for (std::uint32_t column = 0; column + 1 < stride; ++column) {
            const std::uint32_t a = row * stride + column, b = a + 1, c = a + stride, d = c + 1;
            if ((row + column) % 2 == 0) {
                mesh.triangles.push_back({a, c, d});
                mesh.triangles.push_back({a, d, b});
            } else {
                mesh.triangles.push_back({a, c, b});
                mesh.triangles.push_back({b, c, d});
            }
        }
    }
    return mesh;
}

std::vector<Vec3> make_line(Vec3 from, Vec3 to, int count) {
    assert(count > 0);
    std::vector<Vec3> points;
    points.reserve(static_cast<std::size_t>(count) + 1);
    for (int i = 0; i <= count; ++i) {
        const double s = count - i, t = i;
        const auto between = [&](double a, double b) { return static_cast<float>((a * s + b * t) / count); };
        points.push_back({between(from.x, to.x), between(from.y, to.y), between(from.z, to.z)});
    }
    return points;
}

}  // namespace pliant
