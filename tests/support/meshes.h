// Surfaces to put together, and measures of meshes by their definitions.
#pragma once

#include <pliant/mesh.h>
#include <pliant/shapes.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "base/convert.h"
#include "support/random_source.h"

namespace pliant::test {

// By the divergence theorem: the sum of signed tetrahedra from the origin to each triangle.
inline double enclosed_volume(std::span<const Vec3> positions, std::span<const Triangle> surface) {
    double sum = 0;
    for (const Triangle& t : surface) {
        sum += dot(cross(to_double(positions[t[0]]), to_double(positions[t[1]])), to_double(positions[t[2]]));
    }
    return sum / 6;
}

inline double area(std::span<const Vec3> positions, std::span<const Triangle> surface) {
    double sum = 0;
    for (const Triangle& t : surface) {
        const Vec3d a = to_double(positions[t[0]]);
        sum += length(cross(to_double(positions[t[1]]) - a, to_double(positions[t[2]]) - a)) / 2;
    }
    return sum;
}

inline double volume(const TetrahedralMesh& mesh, const Tetrahedron& t) {
    const Vec3d a = to_double(mesh.positions[t[0]]), b = to_double(mesh.positions[t[1]]) - a,
                c = to_double(mesh.positions[t[2]]) - a, d = to_double(mesh.positions[t[3]]) - a;
    return dot(cross(b, c), d) / 6;
}

// Vertices − edges + faces of a triangle mesh: 2 for a ball, 1 for a disc, 0 for a torus.
inline long euler_characteristic(const std::vector<Triangle>& triangles) {
    std::set<std::uint32_t> vertices;
    for (const Triangle& t : triangles) vertices.insert(t.begin(), t.end());
    return static_cast<long>(vertices.size()) - static_cast<long>(unique_edges(triangles).size()) +
           static_cast<long>(triangles.size());
}

// Each edge has two triangles, which run along it in opposite ways.
inline bool is_closed_and_oriented(const std::vector<Triangle>& triangles) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> sides;
    for (const Triangle& t : triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (!sides.insert({t[k], t[(k + 1) % 3]}).second) return false;
        }
    }
    return std::all_of(sides.begin(), sides.end(), [&](const auto& side) {
        return sides.count({side.second, side.first}) == 1;
    });
}

inline TriangleMesh moved(TriangleMesh mesh, Vec3 by) {
    for (Vec3& p : mesh.positions) p = p + by;
    return mesh;
}

inline TriangleMesh inside_out(TriangleMesh mesh) {
    for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
    return mesh;
}

inline TriangleMesh side_by_side(TriangleMesh a, const TriangleMesh& b) {
    const auto first = static_cast<std::uint32_t>(a.positions.size());
    a.positions.insert(a.positions.end(), b.positions.begin(), b.positions.end());
    for (const Triangle& t : b.triangles) a.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    a.texture_coordinates.clear();
    a.normals.clear();
    return a;
}

// Every triangle with three vertices of its own, as an STL file has them.
inline TriangleMesh taken_apart(const TriangleMesh& mesh) {
    TriangleMesh soup;
    soup.normals = mesh.normals;
    soup.texture_coordinates = mesh.texture_coordinates;
    for (const Triangle& t : mesh.triangles) {
        const auto first = static_cast<std::uint32_t>(soup.positions.size());
        for (const std::uint32_t corner : t) soup.positions.push_back(mesh.positions[corner]);
        soup.triangles.push_back({first, first + 1, first + 2});
    }
    return soup;
}

// A band with half a twist, `segments` (≥ 3) long.
inline TriangleMesh moebius_strip(int segments) {
    TriangleMesh mesh;
    const auto count = static_cast<std::uint32_t>(segments);
    for (std::uint32_t i = 0; i < count; ++i) {
        const double angle = 6.283185307179586 * i / segments;
        for (const double side : {-0.3, 0.3}) {
            const double r = 1 + side * std::cos(angle / 2);
            mesh.positions.push_back(
                to_float({r * std::cos(angle), side * std::sin(angle / 2), r * std::sin(angle)}));
        }
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t a = 2 * i, b = a + 1;
        // At the end the sides change places.
        const std::uint32_t c = i + 1 < count ? a + 2 : 1, d = i + 1 < count ? a + 3 : 0;
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({c, b, d});
    }
    return mesh;
}

// A few vertices on a coarse grid, so that everything that can go wrong does; some not finite, some
// corners out of range.
inline TriangleMesh random_soup(RandomSource& random, bool broken) {
    TriangleMesh soup;
    const std::size_t vertices = 1 + random.below(30), triangles = random.below(60);
    for (std::size_t i = 0; i < vertices; ++i) {
        const auto coordinate = [&] { return static_cast<float>(random.below(4)) * 0.5f; };
        const float x = coordinate(), y = coordinate(), z = coordinate();
        soup.positions.push_back({x, y, z});
        if (broken && random.chance(0.05)) soup.positions.back().y = NAN;
        if (broken && random.chance(0.05)) soup.positions.back().x = INFINITY;
    }
    for (std::size_t i = 0; i < triangles; ++i) {
        const auto corner = [&] { return random.index(vertices + (broken && random.chance(0.02) ? 5 : 0)); };
        const std::uint32_t a = corner(), b = corner(), c = corner();
        soup.triangles.push_back({a, b, c});
        if (random.chance(0.1)) soup.triangles.push_back({b, a, c});
    }
    return soup;
}

}  // namespace pliant::test
