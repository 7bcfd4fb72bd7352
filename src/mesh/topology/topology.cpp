// Edges, faces and neighbours, all found the same way: list every use with its indices in
// ascending order, sort, and look at the runs of equals.
#include "base/union_find.h"
#include "mesh/topology/edge_uses.h"
#include "mesh/topology/radix_sort.h"

#include <pliant/mesh.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace pliant {
namespace {

template <std::size_t Corners>
std::vector<Edge> edges_of(std::span<const std::array<std::uint32_t, Corners>> elements) {
    std::vector<Edge> edges;
    edges.reserve(elements.size() * Corners * (Corners - 1) / 2);
    for (const auto& element : elements) {
        for (std::size_t i = 0; i < Corners; ++i) {
            for (std::size_t j = i + 1; j < Corners; ++j) {
                edges.push_back({std::min(element[i], element[j]), std::max(element[i], element[j])});
            }
        }
    }
    mesh::radix_sort<2>(edges);
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    edges.shrink_to_fit();
    return edges;
}

Triangle ascending(Triangle t) {
    if (t[0] > t[1]) std::swap(t[0], t[1]);
    if (t[1] > t[2]) std::swap(t[1], t[2]);
    if (t[0] > t[1]) std::swap(t[0], t[1]);
    return t;
}

// Face f lies across from corner f. Seen from outside a positive tetrahedron it turns
// counterclockwise.
constexpr std::size_t outward_face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

Triangle face_of(const Tetrahedron& tetrahedron, std::size_t face) {
    const auto& corner = outward_face[face];
    return {tetrahedron[corner[0]], tetrahedron[corner[1]], tetrahedron[corner[2]]};
}

using Neighbours = std::vector<std::array<std::uint32_t, 3>>;

bool is_boundary(std::span<const Triangle> triangles, const Neighbours& neighbours, std::uint32_t side) {
    return neighbours[side / 3][side % 3] == no_neighbour && !mesh::has_repeated_corner(triangles[side / 3]);
}

// The next side of the boundary after `side`, which ends at `vertex`: through the fan of triangles around
// the vertex. A fan that ends at an edge of several neighbours has none.
std::uint32_t next_on_boundary(std::span<const Triangle> triangles, const Neighbours& neighbours,
                               std::uint32_t side, std::uint32_t vertex) {
    while (true) {
        const Triangle& corners = triangles[side / 3];
        const std::uint32_t corner = corners[0] == vertex ? 0 : corners[1] == vertex ? 1 : 2;
        const std::uint32_t other = side % 3 == corner ? (corner + 2) % 3 : corner;
        const std::uint32_t next = neighbours[side / 3][other];
        if (next == no_neighbour) return side - side % 3 + other;
        if (next == several_neighbours) return several_neighbours;
        side = next;
    }
}

// Walks from `side` past its end at `vertex` and adds the vertices that it comes to. Whether it came back.
bool follow_boundary(std::span<const Triangle> triangles, const Neighbours& neighbours, std::uint32_t side,
                     std::uint32_t vertex, std::vector<bool>& done, std::vector<std::uint32_t>& vertices) {
    const std::uint32_t first = side;
    while (true) {
        done[side] = true;
        const std::uint32_t next = next_on_boundary(triangles, neighbours, side, vertex);
        if (next == first) return true;
        vertices.push_back(vertex);
        if (next == several_neighbours) return false;
        const std::uint32_t start = mesh::side_start(triangles, next);
        vertex = start == vertex ? mesh::side_end(triangles, next) : start;
        side = next;
    }
}

}  // namespace

std::vector<Edge> unique_edges(std::span<const Triangle> triangles) { return edges_of<3>(triangles); }

std::vector<Edge> unique_edges(std::span<const Tetrahedron> tetrahedra) { return edges_of<4>(tetrahedra); }

std::vector<Edge> opposite_vertices(std::span<const Triangle> triangles) {
    // {smaller end, larger end, the third vertex}; equal edges stay in the order of the triangles.
    std::vector<std::array<std::uint32_t, 3>> uses;
    uses.reserve(triangles.size() * 3);
    for (const Triangle& t : triangles) {
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint32_t a = t[i], b = t[(i + 1) % 3], opposite = t[(i + 2) % 3];
            uses.push_back({std::min(a, b), std::max(a, b), opposite});
        }
    }
    mesh::radix_sort<2>(uses);

    std::vector<Edge> pairs;
    for (std::size_t i = 1; i < uses.size(); ++i) {
        const auto &p = uses[i - 1], &q = uses[i];
        if (p[0] != q[0] || p[1] != q[1]) continue;
        // A triangle listed twice faces itself.
        if (p[2] != q[2]) pairs.push_back({std::min(p[2], q[2]), std::max(p[2], q[2])});
    }
    return pairs;
}

std::vector<std::array<std::uint32_t, 3>> triangle_neighbours(std::span<const Triangle> triangles) {
    std::vector<std::array<std::uint32_t, 3>> neighbours(triangles.size(),
                                                         {no_neighbour, no_neighbour, no_neighbour});
    const auto set = [&](std::uint32_t side, std::uint32_t other) { neighbours[side / 3][side % 3] = other; };
    const std::vector<mesh::EdgeUse> uses = mesh::sorted_edge_uses(triangles);
    mesh::for_each_edge(uses, [&](std::span<const mesh::EdgeUse> edge) {
        if (edge.size() == 2) {
            set(edge[0][2], edge[1][2]);
            set(edge[1][2], edge[0][2]);
        } else if (edge.size() > 2) {
            for (const mesh::EdgeUse& use : edge) set(use[2], several_neighbours);
        }
    });
    return neighbours;
}

Components connected_components(std::span<const Triangle> triangles) {
    UnionFind sets(triangles.size());
    const std::vector<mesh::EdgeUse> uses = mesh::sorted_edge_uses(triangles);
    mesh::for_each_edge(uses, [&](std::span<const mesh::EdgeUse> edge) {
        for (const mesh::EdgeUse& use : edge) sets.join(edge[0][2] / 3, use[2] / 3);
    });
    Components components;
    components.count = sets.number_sets(components.of_triangle);
    return components;
}

std::vector<BoundaryLoop> boundary_loops(std::span<const Triangle> triangles) {
    const auto neighbours = triangle_neighbours(triangles);
    std::vector<bool> done(triangles.size() * 3);
    std::vector<BoundaryLoop> loops;
    for (std::uint32_t side = 0; side < done.size(); ++side) {
        if (done[side] || !is_boundary(triangles, neighbours, side)) continue;
        BoundaryLoop loop;
        const std::uint32_t start = mesh::side_start(triangles, side);
        loop.vertices.push_back(start);
        loop.closed = follow_boundary(triangles, neighbours, side, mesh::side_end(triangles, side), done,
                                      loop.vertices);
        if (!loop.closed) {
            // Then the other way from the start.
            std::vector<std::uint32_t> before;
            follow_boundary(triangles, neighbours, side, start, done, before);
            loop.vertices.insert(loop.vertices.begin(), before.rbegin(), before.rend() - 1);
        }
        loops.push_back(std::move(loop));
    }
    return loops;
}

std::vector<Triangle> surface_triangles(std::span<const Tetrahedron> tetrahedra) {
    // {ascending corners, 4 · tetrahedron + face}
    std::vector<std::array<std::uint32_t, 4>> uses;
    uses.reserve(tetrahedra.size() * 4);
    for (std::size_t t = 0; t < tetrahedra.size(); ++t) {
        for (std::size_t face = 0; face < 4; ++face) {
            const Triangle key = ascending(face_of(tetrahedra[t], face));
            uses.push_back({key[0], key[1], key[2], static_cast<std::uint32_t>(4 * t + face)});
        }
    }
    mesh::radix_sort<3>(uses);

    const auto same_face = [&](std::size_t i, std::size_t j) {
        return uses[i][0] == uses[j][0] && uses[i][1] == uses[j][1] && uses[i][2] == uses[j][2];
    };
    std::vector<Triangle> surface;
    for (std::size_t i = 0; i < uses.size(); ++i) {
        const bool shared = (i > 0 && same_face(i, i - 1)) || (i + 1 < uses.size() && same_face(i, i + 1));
        if (!shared) surface.push_back(face_of(tetrahedra[uses[i][3] / 4], uses[i][3] % 4));
    }
    return surface;
}

}  // namespace pliant
