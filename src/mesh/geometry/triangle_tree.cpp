#include "mesh/geometry/triangle_tree.h"

#include <algorithm>
#include <numeric>

#include "base/convert.h"
#include "mesh/geometry/closest_point.h"

namespace pliant::mesh {
namespace {

float coordinate(const Vec3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

int longest_axis(const Bounds3& box) {
    const Vec3 size = box.high - box.low;
    if (size.x >= size.y && size.x >= size.z) return 0;
    return size.y >= size.z ? 1 : 2;
}

}  // namespace

TriangleTree::TriangleTree(std::span<const Vec3> positions, std::span<const Triangle> triangles)
    : order_(triangles.size()) {
    std::vector<Vec3> centroids;
    centroids.reserve(triangles.size());
    for (const Triangle& t : triangles) {
        // Thirds first: the sum could overflow.
        const float third = 1.0f / 3;
        centroids.push_back(positions[t[0]] * third + positions[t[1]] * third + positions[t[2]] * third);
    }
    std::iota(order_.begin(), order_.end(), 0u);
    if (!triangles.empty()) build(centroids, 0, static_cast<std::uint32_t>(triangles.size()));

    corners_.reserve(triangles.size());
    for (const std::uint32_t i : order_) {
        const Triangle& t = triangles[i];
        corners_.push_back({positions[t[0]], positions[t[1]], positions[t[2]]});
    }
    // Boxes from the leaves up: children stand behind their parents.
    for (std::uint32_t n = static_cast<std::uint32_t>(nodes_.size()); n-- > 0;) {
        Node& node = nodes_[n];
        Bounds3 box;
        for (std::uint32_t i = 0; i < node.count; ++i) {
            for (const Vec3& p : corners_[node.first + i]) box.add(p);
        }
        if (node.count == 0) {
            box.add(nodes_[n + 1].box);
            box.add(nodes_[node.first].box);
        }
        node.box = box;
    }
}

// Halves by number across the longest side. Ties go by index, so that the halves, and with the last sort
// the order within a leaf, do not depend on the standard library.
void TriangleTree::build(std::span<const Vec3> centroids, std::uint32_t first, std::uint32_t count) {
    const std::size_t place = nodes_.size();
    nodes_.emplace_back();
    const auto begin = order_.begin() + first, end = begin + count;
    if (count <= leaf_triangles) {
        std::sort(begin, end);
        nodes_[place].first = first;
        nodes_[place].count = count;
        return;
    }
    Bounds3 box;
    for (auto i = begin; i != end; ++i) box.add(centroids[*i]);
    const int axis = longest_axis(box);
    const std::uint32_t half = count / 2;
    std::nth_element(begin, begin + half, end, [&](std::uint32_t a, std::uint32_t b) {
        const float x = coordinate(centroids[a], axis), y = coordinate(centroids[b], axis);
        return x != y ? x < y : a < b;
    });
    build(centroids, first, half);
    nodes_[place].first = static_cast<std::uint32_t>(nodes_.size());
    build(centroids, first + half, count - half);
}

std::array<Vec3d, 3> TriangleTree::corners(std::uint32_t place) const {
    const auto& c = corners_[place];
    return {to_double(c[0]), to_double(c[1]), to_double(c[2])};
}

Vec3d TriangleTree::closest(const Vec3d& point) const {
    const auto c = corners(nearest(point).place);
    return closest_on_triangle(c[0], c[1], c[2], point);
}

double TriangleTree::squared_distance(const Vec3d& point, std::uint32_t place) const {
    const auto c = corners(place);
    const Vec3d d = point - closest_on_triangle(c[0], c[1], c[2], point);
    return dot(d, d);
}

Nearest TriangleTree::nearest(const Vec3d& point, double within) const {
    Nearest best;
    if (nodes_.empty()) return best;
    struct Visit {
        std::uint32_t node;
        double squared_distance;
    };
    std::array<Visit, 64> stack;
    std::size_t depth = 0;
    stack[depth++] = {0, nodes_[0].box.squared_distance(point)};
    while (depth > 0) {
        const Visit visit = stack[--depth];
        if (visit.squared_distance >= within) continue;
        const Node& node = nodes_[visit.node];
        for (std::uint32_t i = 0; i < node.count; ++i) {
            const double d = squared_distance(point, node.first + i);
            if (d < within) {
                within = d;
                best = {d, order_[node.first + i], node.first + i};
            }
        }
        if (node.count > 0) continue;
        // The nearer child first.
        Visit near{visit.node + 1, nodes_[visit.node + 1].box.squared_distance(point)};
        Visit far{node.first, nodes_[node.first].box.squared_distance(point)};
        if (far.squared_distance < near.squared_distance) std::swap(near, far);
        stack[depth++] = far;
        stack[depth++] = near;
    }
    return best;
}

bool TriangleTree::any_within(const Vec3d& point, double within) const {
    if (nodes_.empty()) return false;
    std::array<std::uint32_t, 64> stack;
    std::size_t depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const std::uint32_t n = stack[--depth];
        const Node& node = nodes_[n];
        if (node.box.squared_distance(point) > within) continue;
        for (std::uint32_t i = 0; i < node.count; ++i) {
            if (squared_distance(point, node.first + i) <= within) return true;
        }
        if (node.count > 0) continue;
        stack[depth++] = node.first;
        stack[depth++] = n + 1;
    }
    return false;
}

}  // namespace pliant::mesh
