// Boxes, sheets, lines and strands.
#include <pliant/shapes.h>

#include <array>
#include <cstddef>

#include "base/convert.h"
#include "base/floating_point.h"
#include "base/random.h"
#include "mesh/shapes/shape_checks.h"
#include "mesh/shapes/shape_points.h"

namespace pliant {
namespace {

using mesh::grid_point;
using mesh::ShapeChecks;

// Sunflower: one after the other, each 1/φ² of a turn further, at equal steps of area (Vogel 1979).
constexpr double golden_turns = 0.38196601125010515;

constexpr float most_turns = 1e6f;  // beyond, few digits of the angle are left

TetrahedralMesh box(Vec3 size, std::array<int, 3> cells) {
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
                for (const auto& c : mesh::kuhn_corners) {
                    mesh.tetrahedra.push_back({point(c[0]), point(c[1]), point(c[2]), point(c[3])});
                }
            }
        }
    }
    return mesh;
}

TriangleMesh sheet(float width, float depth, int columns, int rows) {
    TriangleMesh mesh;
    mesh.positions.reserve(static_cast<std::size_t>(columns + 1) * static_cast<std::size_t>(rows + 1));
    for (int row = 0; row <= rows; ++row) {
        for (int column = 0; column <= columns; ++column) {
            mesh.positions.push_back({grid_point(width, column, columns), 0, grid_point(depth, row, rows)});
        }
    }

    // Diagonals alternate, so that no direction is stiffer than its mirror image. Triangles face +y.
    mesh.triangles.reserve(2 * static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
    mesh.texture_coordinates.reserve(mesh.triangles.capacity());
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
    const auto texture = [&](std::uint32_t point) {
        return Vec2{static_cast<float>(static_cast<double>(point % stride) / columns),
                    static_cast<float>(1 - static_cast<double>(point / stride) / rows)};
    };
    for (const Triangle& t : mesh.triangles) {
        mesh.texture_coordinates.push_back({texture(t[0]), texture(t[1]), texture(t[2])});
    }
    return mesh;
}

std::vector<Vec3> grains(const std::array<int, 3>& rows, double spacing, double jitter, int seed) {
    std::vector<Vec3> points;
    Random random(static_cast<std::uint64_t>(seed));
    const auto along = [&](int i, int count) {
        return static_cast<float>(spacing * (i - 0.5 * (count - 1) + jitter * (2 * random() - 1)));
    };
    for (int y = 0; y < rows[1]; ++y) {
        for (int z = 0; z < rows[2]; ++z) {
            for (int x = 0; x < rows[0]; ++x) {
                const float a = along(x, rows[0]), b = along(y, rows[1]), c = along(z, rows[2]);
                points.push_back({a, b, c});
            }
        }
    }
    return points;
}

std::vector<Vec3> line(Vec3 from, Vec3 to, int count) {
    std::vector<Vec3> points;
    points.reserve(static_cast<std::size_t>(count) + 1);
    for (int i = 0; i <= count; ++i) {
        const double s = count - i, t = i;
        const auto between = [&](double a, double b) { return static_cast<float>((a * s + b * t) / count); };
        points.push_back({between(from.x, to.x), between(from.y, to.y), between(from.z, to.z)});
    }
    return points;
}

std::vector<Vec3> helix(float radius, float height, float turns, int count) {
    std::vector<Vec3> points;
    for (int i = 0; i <= count; ++i) {
        points.push_back(to_float(
            mesh::at_turns(radius, static_cast<double>(turns) * i / count, grid_point(height, i, count))));
    }
    return points;
}

std::vector<std::vector<Vec3>> strands_on_disc(float radius, float length, int strands, int count) {
    std::vector<std::vector<Vec3>> result;
    for (int i = 0; i < strands; ++i) {
        const double r = radius * sqrt((i + 0.5) / strands);
        const Vec3 root = to_float(mesh::at_turns(r, golden_turns * i, 0));
        result.push_back(line(root, root + Vec3{0, length, 0}, count));
    }
    return result;
}

std::vector<std::vector<Vec3>> strands_on_sphere(float radius, float length, int strands, int count,
                                                 float coverage) {
    std::vector<std::vector<Vec3>> result;
    for (int i = 0; i < strands; ++i) {
        const double y = 1 - 2 * static_cast<double>(coverage) * (i + 0.5) / strands;
        const Vec3d direction = mesh::at_turns(sqrt(1 - y * y), golden_turns * i, y);
        result.push_back(line(to_float(direction * static_cast<double>(radius)),
                              to_float(direction * (static_cast<double>(radius) + length)), count));
    }
    return result;
}

}  // namespace

Result<TetrahedralMesh> make_box(Vec3 size, std::array<int, 3> cells) {
    const StandardFloatingPoint floating_point;
    return mesh::make_checked<TetrahedralMesh>(
        ShapeChecks().size("size", size).count("cells", cells).elements(6, cells[0], cells[1], cells[2]),
        [&] { return box(size, cells); });
}

Result<TriangleMesh> make_sheet(float width, float depth, int columns, int rows) {
    const StandardFloatingPoint floating_point;
    return mesh::make_checked<TriangleMesh>(ShapeChecks()
                                                .size("width", width)
                                                .size("depth", depth)
                                                .count("columns", columns)
                                                .count("rows", rows)
                                                .elements(2, columns, rows),
                                            [&] { return sheet(width, depth, columns, rows); });
}

Result<std::vector<Vec3>> make_grains(Vec3 size, float spacing, float jitter, int seed) {
    const StandardFloatingPoint floating_point;
    const auto rows = [&](float length) {
        return static_cast<double>(length) / spacing < 1e7 ? static_cast<int>(length / spacing) + 1
                                                           : 10'000'000;
    };
    return mesh::make_checked<std::vector<Vec3>>(
        ShapeChecks()
            .size("size/x", size.x)
            .size("size/y", size.y)
            .size("size/z", size.z)
            .size("spacing", spacing)
            .within("jitter", jitter, 0, 1)
            .elements(1, rows(size.x), rows(size.y), rows(size.z)),
        [&] {
            return grains({rows(size.x), rows(size.y), rows(size.z)}, spacing, jitter, seed);
        });
}

Result<std::vector<Vec3>> make_line(Vec3 from, Vec3 to, int count) {
    const StandardFloatingPoint floating_point;
    return mesh::make_checked<std::vector<Vec3>>(
        ShapeChecks().coordinates("from", from).coordinates("to", to).count("count", count).elements(count),
        [&] { return line(from, to, count); });
}

Result<std::vector<Vec3>> make_helix(float radius, float height, float turns, int count) {
    const StandardFloatingPoint floating_point;
    return mesh::make_checked<std::vector<Vec3>>(ShapeChecks()
                                                     .size("radius", radius)
                                                     .coordinate("height", height)
                                                     .within("turns", turns, -most_turns, most_turns)
                                                     .count("count", count)
                                                     .elements(count),
                                                 [&] { return helix(radius, height, turns, count); });
}

Result<std::vector<std::vector<Vec3>>> make_strands_on_disc(float radius, float length, int strands,
                                                            int count) {
    const StandardFloatingPoint floating_point;
    return mesh::make_checked<std::vector<std::vector<Vec3>>>(
        ShapeChecks()
            .size("radius", radius)
            .size("length", length)
            .count("strands", strands)
            .count("count", count)
            .elements(strands, count),
        [&] { return strands_on_disc(radius, length, strands, count); });
}

Result<std::vector<std::vector<Vec3>>> make_strands_on_sphere(float radius, float length, int strands,
                                                              int count, float coverage) {
    const StandardFloatingPoint floating_point;
    return mesh::make_checked<std::vector<std::vector<Vec3>>>(
        ShapeChecks()
            .size("radius", radius)
            .size("length", length)
            .count("strands", strands)
            .count("count", count)
            .within("coverage", coverage, 0, 1)
            .elements(strands, count),
        [&] { return strands_on_sphere(radius, length, strands, count, coverage); });
}

}  // namespace pliant
