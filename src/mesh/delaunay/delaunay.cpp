// Order, insert, collect.
#include "mesh/delaunay/delaunay.h"
#include <pliant/bounds.h>
#include <pliant/tetrahedralize.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "base/floating_point.h"
#include "base/format.h"
#include "mesh/delaunay/delaunay_triangulation.h"
#include "mesh/delaunay/insertion_order.h"
#include "mesh/geometry/mesh_checks.h"
#include "mesh/geometry/predicates.h"

namespace pliant {
namespace mesh {
namespace {

// Scales points by a power of two such that the largest coordinate is one that the predicates admit. Those
// 10¹⁰² times smaller become 0.
std::vector<Vec3d> scaled(std::span<const Vec3d> points, double largest) {
    const int shift = std::ilogb(largest_coordinate) - 1 - std::ilogb(largest);
    const auto scale = [&](double x) {
        const double result = std::ldexp(x, shift);
        return std::abs(result) < smallest_coordinate ? 0 : result;
    };
    std::vector<Vec3d> result;
    result.reserve(points.size());
    for (const Vec3d& p : points) result.push_back({scale(p.x), scale(p.y), scale(p.z)});
    return result;
}

// Moves four points that span a tetrahedron to the front; false if there are none.
bool start_with_tetrahedron(std::span<const Vec3d> points, std::vector<std::uint32_t>& order) {
    const auto bring = [&](std::size_t place, auto suits) {
        const auto begin = order.begin() + static_cast<std::ptrdiff_t>(place);
        const auto found =
            std::find_if(begin, order.end(), [&](std::uint32_t i) { return suits(points[i]); });
        if (found == order.end()) return false;
        std::rotate(begin, found, found + 1);
        return true;
    };
    const auto front = [&](std::size_t i) -> const Vec3d& { return points[order[i]]; };
    return !order.empty() && bring(1, [&](const Vec3d& p) { return !(p == front(0)); }) &&
           bring(2, [&](const Vec3d& p) { return !collinear(front(0), front(1), p); }) &&
           bring(3, [&](const Vec3d& p) { return orient3d(front(0), front(1), front(2), p) != 0; });
}

std::vector<Tetrahedron> delaunay_in_range(std::span<const Vec3d> points) {
    std::vector<std::uint32_t> order = insertion_order(points);
    if (!start_with_tetrahedron(points, order)) return {};

    // A vertex stands for the first of the points that coincide with it.
    std::vector<std::uint32_t> point_of(5);
    std::array<Vec3d, 4> first{};
    for (std::size_t i = 0; i < 4; ++i) {
        first[i] = points[order[i]];
        point_of[i + 1] = order[i];
    }
    DelaunayTriangulation triangulation(first, bounds_of(points));
    triangulation.reserve(points.size());
    point_of.reserve(points.size() + 1);
    for (std::size_t i = 4; i < order.size(); ++i) {
        const std::uint32_t vertex = triangulation.insert(points[order[i]]);
        if (vertex == point_of.size()) {
            point_of.push_back(order[i]);
        } else {
            point_of[vertex] = std::min(point_of[vertex], order[i]);
        }
    }

    PLIANT_VALIDATE(triangulation.validate());

    std::vector<Tetrahedron> tetrahedra;
    tetrahedra.reserve(triangulation.cell_slots());
    for (std::uint32_t i = 0; i < triangulation.cell_slots(); ++i) {
        const auto& cell = triangulation.cell(i);
        if (triangulation.is_free(i) || triangulation.is_ghost(cell)) continue;
        const auto& v = cell.vertices;
        tetrahedra.push_back({point_of[v[0]], point_of[v[1]], point_of[v[2]], point_of[v[3]]});
    }
    return tetrahedra;
}

}  // namespace

std::vector<Tetrahedron> delaunay_tetrahedra(std::span<const Vec3d> points) {
    double smallest = largest_coordinate, largest = 0;
    for (const Vec3d& p : points) {
        for (const double x : {std::abs(p.x), std::abs(p.y), std::abs(p.z)}) {
            if (x > 0) smallest = std::min(smallest, x);
            largest = std::max(largest, x);
        }
    }
    if (smallest >= smallest_coordinate && largest <= largest_coordinate) {
        return delaunay_in_range(points);
    }
    return delaunay_in_range(scaled(points, largest));
}

}  // namespace mesh

Result<std::vector<Tetrahedron>> delaunay(std::span<const Vec3d> points) {
    const StandardFloatingPoint floating_point;
    if (points.size() > mesh::most_delaunay_points) {
        return Error{"points",
                     fmt::format("must be at most {}, got {}", mesh::most_delaunay_points, points.size())};
    }
    if (const Status ok = mesh::check_positions(points, "points"); !ok) return ok.error();
    return mesh::delaunay_tetrahedra(points);
}

}  // namespace pliant
