#include "mesh/panels/planar_triangulation.h"

#include <pliant/assertions.h>

#include <utility>

#include "mesh/geometry/planar_predicates.h"
#include "mesh/topology/edge_uses.h"

namespace pliant::mesh {

PlanarTriangulation::PlanarTriangulation(std::vector<Vec3d> polygon, std::vector<Triangle> triangles)
    : positions_(std::move(polygon)),
      triangles_(std::move(triangles)),
      neighbours_(triangle_neighbours(triangles_)),
      fixed_(positions_.size()) {
    for (std::uint32_t side = 0; side < 3 * triangles_.size(); ++side) doubtful_.push_back(side);
    flip_where_needed();
}

// The first side k of a triangle that has p on its outer side; 3 if p is inside or on the boundary.
std::uint32_t PlanarTriangulation::first_side_beyond_which(const Vec3d& p, std::uint32_t triangle) const {
    std::uint32_t k = 0;
    while (k < 3 && turn(corner(triangle, k), corner(triangle, k + 1), p) >= 0) ++k;
    return k;
}

// Walks towards the point. Where a side of the polygon is in the way, all triangles are tried.
std::uint32_t PlanarTriangulation::locate(const Vec3d& p) const {
    std::uint32_t triangle = last_;
    for (std::size_t step = 0; step < triangles_.size(); ++step) {
        const std::uint32_t k = first_side_beyond_which(p, triangle);
        if (k == 3) return triangle;
        if (neighbours_[triangle][k] == no_neighbour) break;
        triangle = neighbours_[triangle][k] / 3;
    }
    for (triangle = 0; triangle < triangles_.size(); ++triangle) {
        if (first_side_beyond_which(p, triangle) == 3) return triangle;
    }
    return nowhere;
}

void PlanarTriangulation::link(std::uint32_t side, std::uint32_t other) {
    neighbours_[side / 3][side % 3] = other;
    if (other != no_neighbour) neighbours_[other / 3][other % 3] = side;
}

// (a, b, c) → (a, b, v), (b, c, v), (c, a, v). With v on a side one of them is degenerate until that side is
// flipped, which it is at once: v lies inside of the circle of the triangle beyond.
void PlanarTriangulation::split(std::uint32_t triangle, std::uint32_t vertex) {
    const auto [a, b, c] = triangles_[triangle];
    const auto across = neighbours_[triangle];
    const auto next = static_cast<std::uint32_t>(triangles_.size());
    const std::uint32_t ab = 3 * triangle, bc = 3 * next, ca = 3 * (next + 1);
    triangles_[triangle] = {a, b, vertex};
    triangles_.push_back({b, c, vertex});
    triangles_.push_back({c, a, vertex});
    neighbours_.resize(triangles_.size());
    link(ab, across[0]);
    link(bc, across[1]);
    link(ca, across[2]);
    link(ab + 1, bc + 2);
    link(bc + 1, ca + 2);
    link(ca + 1, ab + 2);
    doubtful_.insert(doubtful_.end(), {ab, bc, ca});
    last_ = triangle;
}

// A side a–b between (a, b, p) and (b, a, q) becomes p–q, between (p, a, q) and (p, q, b).
void PlanarTriangulation::flip(std::uint32_t side) {
    const std::uint32_t other = neighbours_[side / 3][side % 3];
    const std::uint32_t t = side / 3, k = side % 3, u = other / 3, j = other % 3;
    const std::uint32_t a = triangles_[t][k], b = triangles_[t][(k + 1) % 3], p = triangles_[t][(k + 2) % 3];
    const std::uint32_t q = triangles_[u][(j + 2) % 3];
    const std::uint32_t bp = neighbours_[t][(k + 1) % 3], pa = neighbours_[t][(k + 2) % 3];
    const std::uint32_t aq = neighbours_[u][(j + 1) % 3], qb = neighbours_[u][(j + 2) % 3];
    triangles_[t] = {p, a, q};
    triangles_[u] = {p, q, b};
    link(3 * t, pa);
    link(3 * t + 1, aq);
    link(3 * t + 2, 3 * u);
    link(3 * u + 1, qb);
    link(3 * u + 2, bp);
    doubtful_.insert(doubtful_.end(), {3 * t, 3 * t + 1, 3 * u + 1, 3 * u + 2});
}

void PlanarTriangulation::flip_where_needed() {
    while (!doubtful_.empty()) {
        const std::uint32_t side = doubtful_.back();
        doubtful_.pop_back();
        const std::uint32_t other = neighbours_[side / 3][side % 3];
        if (other == no_neighbour) continue;
        const std::uint32_t beyond = other / 3;
        const Vec3d& apex = corner(side / 3, side % 3 + 2);
        if (in_circle(corner(beyond, 0), corner(beyond, 1), corner(beyond, 2), apex) > 0) flip(side);
    }
}

bool PlanarTriangulation::insert(const Vec3d& p) {
    const std::uint32_t triangle = locate(p);
    if (triangle == nowhere) return false;
    positions_.push_back(p);
    split(triangle, static_cast<std::uint32_t>(positions_.size() - 1));
    flip_where_needed();
    return true;
}

std::vector<std::vector<std::uint32_t>> PlanarTriangulation::triangles_of_vertices() const {
    std::vector<std::vector<std::uint32_t>> around(positions_.size());
    for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
        for (const std::uint32_t vertex : triangles_[t]) around[vertex].push_back(t);
    }
    return around;
}

void PlanarTriangulation::validate() const {
    for (std::uint32_t side = 0; side < 3 * triangles_.size(); ++side) {
        const std::uint32_t other = neighbours_[side / 3][side % 3];
        if (other == no_neighbour) continue;
        PLIANT_ASSERT(other / 3 < triangles_.size() && neighbours_[other / 3][other % 3] == side);
        PLIANT_ASSERT(side_start(triangles_, side) == side_end(triangles_, other) &&
                      side_end(triangles_, side) == side_start(triangles_, other));
    }
}

void PlanarTriangulation::smooth() {
    const auto around = triangles_of_vertices();
    for (std::size_t vertex = fixed_; vertex < positions_.size(); ++vertex) {
        Vec3d sum;
        for (const std::uint32_t t : around[vertex]) {
            for (const std::uint32_t other : triangles_[t]) {
                if (other != vertex) sum = sum + positions_[other];  // each twice
            }
        }
        const Vec3d before = positions_[vertex];
        positions_[vertex] = sum * (0.5 / static_cast<double>(around[vertex].size()));
        for (const std::uint32_t t : around[vertex]) {
            if (turn(corner(t, 0), corner(t, 1), corner(t, 2)) > 0) continue;
            positions_[vertex] = before;
            break;
        }
    }
    for (std::uint32_t side = 0; side < 3 * triangles_.size(); ++side) doubtful_.push_back(side);
    flip_where_needed();
}

}  // namespace pliant::mesh
