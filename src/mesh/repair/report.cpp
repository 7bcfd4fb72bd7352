#include <pliant/bounds.h>
#include <pliant/mesh_report.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "base/convert.h"
#include "base/floating_point.h"
#include "base/geometry/tetrahedron.h"
#include "base/union_find.h"
#include "mesh/geometry/coincident_points.h"
#include "mesh/geometry/intersection.h"
#include "mesh/repair/surface_checks.h"
#include "mesh/topology/edge_uses.h"
#include "mesh/topology/used_vertices.h"

namespace pliant {
namespace {

void count_edges(SurfaceReport& result, std::span<const Triangle> triangles,
                 std::span<const mesh::EdgeUse> uses) {
    mesh::for_each_edge(uses, [&](std::span<const mesh::EdgeUse> edge) {
        ++result.edges;
        if (edge.size() == 1) ++result.boundary_edges;
        if (edge.size() > 2) ++result.non_manifold_edges;
        if (edge.size() == 2 &&
            mesh::side_start(triangles, edge[0][2]) == mesh::side_start(triangles, edge[1][2])) {
            ++result.misoriented_edges;
        }
    });
}

// Corners are joined through edges; what is left of a vertex's corners are its fans.
std::uint64_t count_non_manifold_vertices(std::span<const Triangle> triangles,
                                          std::span<const mesh::EdgeUse> uses, std::size_t vertices) {
    UnionFind fans(3 * triangles.size());
    mesh::for_each_edge(uses, [&](std::span<const mesh::EdgeUse> edge) {
        // The corner at the edge's smaller end, and that at its larger one.
        const auto corners = [&](const mesh::EdgeUse& use) {
            const std::uint32_t side = use[2], next = side % 3 == 2 ? side - 2 : side + 1;
            return mesh::side_start(triangles, side) == use[0] ? Edge{side, next} : Edge{next, side};
        };
        const Edge first = corners(edge[0]);
        for (const mesh::EdgeUse& use : edge.subspan(1)) {
            const Edge other = corners(use);
            fans.join(first[0], other[0]);
            fans.join(first[1], other[1]);
        }
    });
    std::vector<std::uint32_t> fans_of(vertices);
    for (std::uint32_t corner = 0; corner < 3 * triangles.size(); ++corner) {
        if (fans.find(corner) == corner) ++fans_of[triangles[corner / 3][corner % 3]];
    }
    return static_cast<std::uint64_t>(
        std::count_if(fans_of.begin(), fans_of.end(), [](std::uint32_t count) { return count > 1; }));
}

void count_vertices(SurfaceReport& result, std::span<const Vec3> positions,
                    const std::vector<Triangle>& triangles) {
    const std::vector<bool> used = mesh::used_vertices(positions.size(), triangles);
    result.unused_vertices = static_cast<std::uint64_t>(std::count(used.begin(), used.end(), false));

    const std::vector<std::uint32_t> first = mesh::first_at_place(positions);
    Bounds3 bounds;
    for (std::uint32_t v = 0; v < positions.size(); ++v) {
        if (!mesh::is_finite(positions[v])) {
            ++result.not_finite_vertices;
            continue;
        }
        bounds.add(positions[v]);
        result.duplicate_vertices += first[v] != v;
    }
    if (result.not_finite_vertices < positions.size()) {
        result.low = bounds.low;
        result.high = bounds.high;
    }
}

// By the divergence theorem: signed tetrahedra from the middle of the box to each triangle.
void measure(SurfaceReport& result, std::span<const Vec3> positions, std::span<const Triangle> triangles) {
    const Vec3d middle = (to_double(result.low) + to_double(result.high)) * 0.5;
    double volume = 0;
    for (const Triangle& t : triangles) {
        const Vec3d a = to_double(positions[t[0]]) - middle, b = to_double(positions[t[1]]) - middle,
                    c = to_double(positions[t[2]]) - middle;
        result.area += 0.5 * length(cross(b - a, c - a));
        volume += triple_product(a, b, c) / 6;
    }
    if (result.closed && result.oriented) result.volume = volume;
    result.inside_out = result.volume < 0;
}

}  // namespace

std::vector<bool> mesh::duplicate_triangles(std::span<const Triangle> triangles) {
    std::vector<std::array<std::uint32_t, 4>> sorted;
    sorted.reserve(triangles.size());
    for (std::uint32_t t = 0; t < triangles.size(); ++t) {
        Triangle corners = triangles[t];
        std::sort(corners.begin(), corners.end());
        sorted.push_back({corners[0], corners[1], corners[2], t});
    }
    radix_sort<3>(sorted);
    std::vector<bool> duplicate(triangles.size());
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        duplicate[sorted[i][3]] = std::equal(sorted[i].begin(), sorted[i].begin() + 3, sorted[i - 1].begin());
    }
    return duplicate;
}

SurfaceReport report(const TriangleMesh& surface) {
    const StandardFloatingPoint floating_point;
    SurfaceReport result;
    result.vertices = surface.positions.size();
    result.triangles = surface.triangles.size();
    result.attributes_fit = mesh::attributes_fit(surface);

    // Valid triangles; of those, the ones with three corners; of those, the ones with an area.
    std::vector<Triangle> valid, proper, with_area;
    for (const Triangle& t : surface.triangles) {
        if (!mesh::is_valid(surface.positions, t)) continue;
        valid.push_back(t);
        if (mesh::has_repeated_corner(t)) continue;
        proper.push_back(t);
        if (!mesh::has_no_area(surface.positions[t[0]], surface.positions[t[1]], surface.positions[t[2]])) {
            with_area.push_back(t);
        }
    }
    result.invalid_triangles = surface.triangles.size() - valid.size();
    result.degenerate_triangles = valid.size() - with_area.size();
    const std::vector<bool> duplicates = mesh::duplicate_triangles(valid);
    result.duplicate_triangles =
        static_cast<std::uint64_t>(std::count(duplicates.begin(), duplicates.end(), true));
    count_vertices(result, surface.positions, valid);

    const std::vector<mesh::EdgeUse> uses = mesh::sorted_edge_uses(proper);
    count_edges(result, proper, uses);
    result.non_manifold_vertices = count_non_manifold_vertices(proper, uses, surface.positions.size());
    result.components = connected_components(proper).count;
    result.boundary_loops = boundary_loops(proper).size();
    result.intersecting_pairs =
        mesh::count_intersecting_pairs(surface.positions, with_area, most_intersecting_pairs);

    result.closed = !proper.empty() && result.boundary_edges == 0;
    result.manifold = result.non_manifold_edges == 0 && result.non_manifold_vertices == 0;
    result.oriented = result.misoriented_edges == 0;
    measure(result, surface.positions, proper);
    return result;
}

}  // namespace pliant
