// Triangle surfaces with known volumes, and what is done to them.
#pragma once

#include <pliant/mesh.h>
#include <pliant/mesh_io.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "base/convert.h"
#include "support/random_source.h"

namespace pliant::test {

constexpr double pi = 3.14159265358979323846;

// A grid of rows × columns points that closes on itself in both directions.
template <class Point>
TriangleMesh closed_grid(std::uint32_t rows, std::uint32_t columns, Point&& point) {
    TriangleMesh mesh;
    for (std::uint32_t row = 0; row < rows; ++row) {
        for (std::uint32_t column = 0; column < columns; ++column) {
            mesh.positions.push_back(to_float(point(2 * pi * row / rows, 2 * pi * column / columns)));
            const auto at = [&](std::uint32_t r, std::uint32_t c) {
                return r % rows * columns + c % columns;
            };
            const std::uint32_t a = at(row, column), b = at(row + 1, column), c = at(row + 1, column + 1),
                                d = at(row, column + 1);
            mesh.triangles.push_back({a, b, c});
            mesh.triangles.push_back({a, c, d});
        }
    }
    return mesh;
}

inline TriangleMesh torus(double large_radius, double small_radius, std::uint32_t rows = 64,
                          std::uint32_t columns = 32) {
    return closed_grid(rows, columns, [&](double u, double v) {
        const double r = large_radius + small_radius * std::cos(v);
        return Vec3d{r * std::cos(u), r * std::sin(u), small_radius * std::sin(v)};
    });
}

inline TriangleMesh box(Vec3d low, Vec3d high) {
    TriangleMesh mesh;
    for (std::uint32_t i = 0; i < 8; ++i) {
        mesh.positions.push_back(
            to_float({i & 1 ? high.x : low.x, i & 2 ? high.y : low.y, i & 4 ? high.z : low.z}));
    }
    mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                      {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return mesh;
}

// The box's faces cut into n × n squares, pushed onto the sphere. Faces have vertices of their own: seams.
// Coordinates are rounded so that both sides of a seam agree.
inline TriangleMesh sphere(double radius, std::uint32_t n = 24, Vec3d centre = {}) {
    const auto rounded = [&](double x) { return std::round(x / radius * 0x1p20) * radius * 0x1p-20; };
    TriangleMesh mesh;
    for (int face = 0; face < 6; ++face) {
        const std::uint32_t first = static_cast<std::uint32_t>(mesh.positions.size());
        for (std::uint32_t i = 0; i <= n; ++i) {
            for (std::uint32_t j = 0; j <= n; ++j) {
                const double u = std::tan(pi / 4 * (2.0 * i / n - 1)),
                             v = std::tan(pi / 4 * (2.0 * j / n - 1));
                const double s = face < 3 ? 1 : -1;
                // Mirrored faces swap u and v, so that all face outward.
                const double a = s > 0 ? u : v, b = s > 0 ? v : u;
                const Vec3d p = face % 3 == 0   ? Vec3d{s, a, b}
                                : face % 3 == 1 ? Vec3d{b, s, a}
                                                : Vec3d{a, b, s};
                const Vec3d q = p * (radius / length(p));
                mesh.positions.push_back(to_float(centre + Vec3d{rounded(q.x), rounded(q.y), rounded(q.z)}));
            }
        }
        for (std::uint32_t i = 0; i < n; ++i) {
            for (std::uint32_t j = 0; j < n; ++j) {
                const std::uint32_t a = first + i * (n + 1) + j, b = a + n + 1;
                mesh.triangles.push_back({a, b, b + 1});
                mesh.triangles.push_back({a, b + 1, a + 1});
            }
        }
    }
    return mesh;
}

// Large triangles in pieces with sides of at most `longest`: vertices everywhere.
inline TriangleMesh refined(TriangleMesh mesh, double longest) {
    for (std::size_t i = 0; i < mesh.triangles.size();) {
        const Triangle t = mesh.triangles[i];
        std::size_t side = 0;
        std::array<double, 3> sides;
        for (std::size_t k = 0; k < 3; ++k) {
            sides[k] = length(to_double(mesh.positions[t[(k + 1) % 3]]) - to_double(mesh.positions[t[k]]));
            if (sides[k] > sides[side]) side = k;
        }
        if (sides[side] <= longest) {
            ++i;
            continue;
        }
        const std::uint32_t a = t[side], b = t[(side + 1) % 3], c = t[(side + 2) % 3];
        const auto middle = static_cast<std::uint32_t>(mesh.positions.size());
        mesh.positions.push_back(
            to_float((to_double(mesh.positions[a]) + to_double(mesh.positions[b])) * 0.5));
        mesh.triangles[i] = {a, middle, c};
        mesh.triangles.push_back({middle, b, c});
    }
    return mesh;
}

// A ball with a needle: one of its vertices pulled away.
inline TriangleMesh ball_with_needle(double reach) {
    TriangleMesh mesh = sphere(1);
    std::size_t top = 0;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        if (mesh.positions[v].z > mesh.positions[top].z) top = v;
    }
    mesh.positions[top].z = static_cast<float>(reach);
    return mesh;
}

// Triangles between any of up to `most` random points: open, overlapping, some without area.
inline TriangleMesh random_soup(std::uint64_t seed, std::size_t most) {
    RandomSource random(seed);
    TriangleMesh soup;
    const std::size_t vertices = 4 + random.below(most - 3);
    for (std::size_t i = 0; i < vertices; ++i) soup.positions.push_back(random.point_float());
    for (std::size_t i = 0; i < 3 * vertices; ++i) {
        const std::uint32_t a = random.index(vertices), b = random.index(vertices),
                            c = random.index(vertices);
        soup.triangles.push_back({a, b, c});
    }
    return soup;
}

inline TriangleMesh turned(TriangleMesh mesh) {
    for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
    return mesh;
}

inline TriangleMesh together(TriangleMesh mesh, const TriangleMesh& other) {
    const std::uint32_t first = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.insert(mesh.positions.end(), other.positions.begin(), other.positions.end());
    for (const Triangle& t : other.triangles)
        mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    return mesh;
}

// By the divergence theorem, from a point amid the surface.
inline double enclosed_volume(const TriangleMesh& mesh) {
    double volume = 0;
    const Vec3d origin = to_double(mesh.positions[0]);
    for (const Triangle& t : mesh.triangles) {
        const Vec3d a = to_double(mesh.positions[t[0]]) - origin,
                    b = to_double(mesh.positions[t[1]]) - origin,
                    c = to_double(mesh.positions[t[2]]) - origin;
        volume += dot(a, cross(b, c)) / 6;
    }
    return volume;
}

// Nothing if the file is not there.
inline TriangleMesh read_or_nothing(const std::string& path) {
    auto file = read_surface(path);
    return file ? std::move(file->mesh) : TriangleMesh{};
}

}  // namespace pliant::test
