// What a tetrahedral mesh must be like to be a body.
#pragma once

#include <doctest/doctest.h>
#include <pliant/embedding.h>
#include <pliant/mesh.h>
#include <pliant/tetrahedralize.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "base/convert.h"
#include "support/surfaces.h"

namespace pliant::test {

inline TriangleMesh surface_of(const TetrahedralMesh& mesh) {
    TriangleMesh surface;
    surface.positions = mesh.positions;
    surface.triangles = surface_triangles(mesh.tetrahedra);
    return surface;
}

// Pieces that hang together by faces.
inline std::size_t count_pieces(const TetrahedralMesh& mesh) {
    std::vector<std::size_t> parent(mesh.tetrahedra.size());
    std::iota(parent.begin(), parent.end(), std::size_t{0});
    const auto root = [&](std::size_t i) {
        while (parent[i] != i) i = parent[i] = parent[parent[i]];
        return i;
    };
    std::vector<std::pair<Triangle, std::size_t>> faces;
    for (std::size_t i = 0; i < mesh.tetrahedra.size(); ++i) {
        for (std::size_t corner = 0; corner < 4; ++corner) {
            const Tetrahedron& t = mesh.tetrahedra[i];
            Triangle face{t[(corner + 1) % 4], t[(corner + 2) % 4], t[(corner + 3) % 4]};
            std::sort(face.begin(), face.end());
            faces.push_back({face, i});
        }
    }
    std::sort(faces.begin(), faces.end());
    for (std::size_t i = 1; i < faces.size(); ++i) {
        if (faces[i].first == faces[i - 1].first) parent[root(faces[i].second)] = root(faces[i - 1].second);
    }
    std::size_t pieces = 0;
    for (std::size_t i = 0; i < parent.size(); ++i) pieces += parent[i] == i;
    return pieces;
}

// Vertices − edges + triangles, if every edge has two triangles that run it opposite ways; else 999.
inline int closed_euler_characteristic(const std::vector<Triangle>& triangles) {
    std::map<Edge, int> uses;
    std::map<std::uint32_t, int> vertices;
    for (const Triangle& t : triangles) {
        for (std::size_t i = 0; i < 3; ++i) {
            ++uses[{t[i], t[(i + 1) % 3]}];
            vertices[t[i]] = 1;
        }
    }
    for (const auto& [edge, count] : uses) {
        const auto back = uses.find({edge[1], edge[0]});
        if (count != 1 || back == uses.end()) return 999;
    }
    return static_cast<int>(vertices.size()) - static_cast<int>(uses.size() / 2) +
           static_cast<int>(triangles.size());
}

// How far the surface's vertices are from the tetrahedra; 0 inside.
inline double farthest_vertex(const TriangleMesh& surface, const TetrahedralMesh& mesh) {
    const Result<Embedding> embedding = embed(surface.positions, mesh);
    REQUIRE(embedding);
    return embedding->largest_distance;
}

// Every volume positive, faces fit, no vertex unused, and the parts add up to what the outside encloses.
inline TetrahedralQuality check_body(const TetrahedralMesh& mesh) {
    const TetrahedralQuality q = *quality(mesh);
    CHECK(q.tetrahedra > 0);
    CHECK(q.inverted == 0);
    std::vector<bool> used(mesh.positions.size());
    for (const Tetrahedron& t : mesh.tetrahedra) {
        for (const std::uint32_t v : t) used[v] = true;
    }
    CHECK(std::count(used.begin(), used.end(), false) == 0);
    CHECK(enclosed_volume(surface_of(mesh)) == doctest::Approx(q.volume).epsilon(1e-6));
    return q;
}

}  // namespace pliant::test
