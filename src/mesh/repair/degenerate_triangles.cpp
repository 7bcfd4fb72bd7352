#include "mesh/repair/degenerate_triangles.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "base/convert.h"
#include "mesh/geometry/intersection.h"
#include "mesh/topology/edge_uses.h"

namespace pliant::mesh {
namespace {

Vec3 between(const Vec3& a, const Vec3& b, float share) { return a * (1 - share) + b * share; }
Vec2 between(const Vec2& a, const Vec2& b, float share) {
    return {a.x * (1 - share) + b.x * share, a.y * (1 - share) + b.y * share};
}

std::uint32_t longest_side(std::span<const Vec3> positions, const Triangle& t) {
    std::uint32_t longest = 0;
    double length_so_far = -1;
    for (std::uint32_t k = 0; k < 3; ++k) {
        const double side = length(to_double(positions[t[(k + 1) % 3]]) - to_double(positions[t[k]]));
        if (side <= length_so_far) continue;
        length_so_far = side;
        longest = k;
    }
    return longest;
}

// Cuts triangle n at side k, at `share` of the way, where vertex m is; the new half takes the place of t.
template <class Corner>
void cut(std::vector<std::array<Corner, 3>>& corners, std::size_t t, std::size_t n, std::size_t k,
         const Corner& m) {
    if (corners.empty()) return;
    const Corner x = corners[n][k], y = corners[n][(k + 1) % 3], d = corners[n][(k + 2) % 3];
    corners[t] = {x, m, d};
    corners[n] = {m, y, d};
}

void cut_neighbour(TriangleMesh& surface, std::size_t t, std::uint32_t side, std::uint32_t m) {
    const std::size_t n = side / 3, k = side % 3, next = (k + 1) % 3;
    const Vec3d x = to_double(surface.positions[surface.triangles[n][k]]),
                y = to_double(surface.positions[surface.triangles[n][next]]);
    const auto share = static_cast<float>(length(to_double(surface.positions[m]) - x) / length(y - x));
    if (!surface.normals.empty()) {
        cut(surface.normals, t, n, k, between(surface.normals[n][k], surface.normals[n][next], share));
    }
    if (!surface.texture_coordinates.empty()) {
        cut(surface.texture_coordinates, t, n, k,
            between(surface.texture_coordinates[n][k], surface.texture_coordinates[n][next], share));
    }
    cut(surface.triangles, t, n, k, m);
}

}  // namespace

StraightenedTriangles straighten_degenerate_triangles(TriangleMesh& surface) {
    std::vector<Triangle>& triangles = surface.triangles;
    StraightenedTriangles result;
    result.drop.resize(triangles.size());
    std::vector<bool> degenerate(triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const Triangle& c = triangles[t];
        degenerate[t] =
            has_no_area(surface.positions[c[0]], surface.positions[c[1]], surface.positions[c[2]]);
    }
    if (std::find(degenerate.begin(), degenerate.end(), true) == degenerate.end()) return result;

    const auto neighbours = triangle_neighbours(triangles);
    const std::vector<Edge> edges = unique_edges(triangles);
    // What has changed in this pass is not known to `neighbours` and `edges`: it waits for the next one.
    std::vector<bool> changed(surface.positions.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        if (!degenerate[t]) continue;
        const std::uint32_t k = longest_side(surface.positions, triangles[t]);
        const std::uint32_t m = triangles[t][(k + 2) % 3], side = neighbours[t][k];
        std::array<std::uint32_t, 4> corners{triangles[t][0], triangles[t][1], triangles[t][2], m};
        bool possible = side == no_neighbour;
        if (side != no_neighbour && side != several_neighbours && !degenerate[side / 3]) {
            const std::uint32_t d = triangles[side / 3][(side + 2) % 3];
            corners[3] = d;
            possible = d != m &&
                       !std::binary_search(edges.begin(), edges.end(), Edge{std::min(d, m), std::max(d, m)});
        }
        const bool waits =
            std::any_of(corners.begin(), corners.end(), [&](std::uint32_t v) -> bool { return changed[v]; });
        if (!possible || waits) {
            ++result.left;
            continue;
        }
        for (const std::uint32_t v : corners) changed[v] = true;
        if (side == no_neighbour) {
            result.drop[t] = true;
        } else {
            cut_neighbour(surface, t, side, m);
            ++result.straightened;
        }
    }
    return result;
}

}  // namespace pliant::mesh
