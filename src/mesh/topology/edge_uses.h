// Every use of an edge by a triangle, sorted so that the uses of one edge stand together.
#pragma once

#include <pliant/mesh.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/topology/radix_sort.h"

namespace pliant::mesh {

// {smaller end, larger end, side}. A side's number is 3 · triangle + k, where it runs from corner k to
// corner k + 1 of its triangle.
using EdgeUse = std::array<std::uint32_t, 3>;

inline bool has_repeated_corner(const Triangle& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; }

// Where a side starts and where it ends.
inline std::uint32_t side_start(std::span<const Triangle> triangles, std::uint32_t side) {
    return triangles[side / 3][side % 3];
}
inline std::uint32_t side_end(std::span<const Triangle> triangles, std::uint32_t side) {
    return triangles[side / 3][(side + 1) % 3];
}

// Ascending. Triangles with a repeated corner are left out.
inline std::vector<EdgeUse> sorted_edge_uses(std::span<const Triangle> triangles) {
    std::vector<EdgeUse> uses;
    uses.reserve(triangles.size() * 3);
    for (std::uint32_t t = 0; t < triangles.size(); ++t) {
        const Triangle& corners = triangles[t];
        if (has_repeated_corner(corners)) continue;
        for (std::uint32_t k = 0; k < 3; ++k) {
            const std::uint32_t a = corners[k], b = corners[(k + 1) % 3];
            uses.push_back({std::min(a, b), std::max(a, b), 3 * t + k});
        }
    }
    radix_sort<2>(uses);
    return uses;
}

// Calls visit(uses of one edge) for each edge.
template <class Visit>
void for_each_edge(std::span<const EdgeUse> uses, Visit&& visit) {
    for (std::size_t first = 0, last; first < uses.size(); first = last) {
        last = first + 1;
        while (last < uses.size() && uses[last][0] == uses[first][0] && uses[last][1] == uses[first][1]) {
            ++last;
        }
        visit(uses.subspan(first, last - first));
    }
}

}  // namespace pliant::mesh
