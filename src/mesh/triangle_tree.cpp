#include "mesh/triangle_tree.h"

#include <algorithm>
#include <numeric>

#include "base/convert.h"

namespace pliant::mesh {
namespace {

struct Box {
    Vec3 low{std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity(),
             std::numeric_limits<float>::infinity()};
    Vec3 high = -low;

    void add(const Vec3& p) {
        low = {min(low.x, p.x), min(low.y, p.y), min(low.z, p.z)};
        high = {max(high.x, p.x), max(high.y, p.y), max(high.z, p.z)};
    }
};

float coordinate(const Vec3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

int longest_axis(const Box& box) {
    const Vec3 size = box.high - box.low;
    if (size.x >= size.y && size.x >= size.z) return 0;
    return size.y >= size.z ? 1 : 2;
}

double squared_distance_to_box(const Vec3d& p, const TriangleTree::Node& node) {
    const auto outside = [](double x, double low, double high) { return max(max(low - x, x - high), 0.0); };
    const Vec3d d{outside(p.x, node.low.x, node.high.x), outside(p.y, node.low.y, node.high.y),
                  outside(p.z, node.low.z, node.high.z)};
    return dot(d, d);
}

Vec3d closest_on_segment(const Vec3d& p, const Vec3d& a, const Vec3d& b) {
    const Vec3d ab = b - a;
    const double squared_length = dot(ab, ab);
    return squared_length > 0 ? a + ab * min(max(dot(p - a, ab) / squared_length, 0.0), 1.0) : a;
}

}  // namespace

// Over the triangle's inside: on its plane. Elsewhere: on an edge that faces the point. A triangle without
// area is its edges.
Vec3d closest_on_triangle(const Vec3d& point, const std::array<Vec3d, 3>& c) {
    const Vec3d normal = cross(c[1] - c[0], c[2] - c[0]);
    const double squared_normal = dot(normal, normal);
    double best = std::numeric_limits<double>::infinity();
    Vec3d closest{};
    bool over = squared_normal > 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3d &a = c[i], &b = c[(i + 1) % 3];
        if (squared_normal > 0 && dot(cross(b - a, point - a), normal) >= 0) continue;
        over = false;
        const Vec3d q = closest_on_segment(point, a, b);
        const double d = dot(point - q, point - q);
        if (d >= best) continue;
        best = d;
        closest = q;
    }
    return over ? point - normal * (dot(point - c[0], normal) / squared_normal) : closest;
}

double squared_distance_to_triangle(const Vec3d& point, const std::array<Vec3d, 3>& c) {
    const Vec3d d = point - closest_on_triangle(point, c);
    return dot(d, d);
}

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
        Box box;
        for (std::uint32_t i = 0; i < node.count; ++i) {
            for (const Vec3& p : corners_[node.first + i]) box.add(p);
        }
        if (node.count == 0) {
            for (const std::uint32_t child : {n + 1, node.first}) {
                box.add(nodes_[child].low);
                box.add(nodes_[child].high);
            }
        }
        node.low = box.low;
        node.high = box.high;
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
    Box box;
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

Nearest TriangleTree::nearest(const Vec3d& point, double within) const {
    Nearest best;
    if (nodes_.empty()) return best;
    struct Visit {
        std::uint32_t node;
        double squared_distance;
    };
    std::array<Visit, 64> stack;
    std::size_t depth = 0;
    stack[depth++] = {0, squared_distance_to_box(point, nodes_[0])};
    while (depth > 0) {
        const Visit visit = stack[--depth];
        if (visit.squared_distance >= within) continue;
        const Node& node = nodes_[visit.node];
        for (std::uint32_t i = 0; i < node.count; ++i) {
            const double d = squared_distance_to_triangle(point, corners(node.first + i));
            if (d < within) {
                within = d;
                best = {d, order_[node.first + i], node.first + i};
            }
        }
        if (node.count > 0) continue;
        // The nearer child first.
        Visit near{visit.node + 1, squared_distance_to_box(point, nodes_[visit.node + 1])};
        Visit far{node.first, squared_distance_to_box(point, nodes_[node.first])};
        if (far.squared_distance < near.squared_distance) std::swap(near, far);
        stack[depth++] = far;
        stack[depth++] = near;
    }
    return best;
}

bool TriangleTree::any_within(const Vec3d& point, double squared_distance) const {
    if (nodes_.empty()) return false;
    std::array<std::uint32_t, 64> stack;
    std::size_t depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const std::uint32_t n = stack[--depth];
        const Node& node = nodes_[n];
        if (squared_distance_to_box(point, node) > squared_distance) continue;
        for (std::uint32_t i = 0; i < node.count; ++i) {
            if (squared_distance_to_triangle(point, corners(node.first + i)) <= squared_distance) return true;
        }
        if (node.count > 0) continue;
        stack[depth++] = node.first;
        stack[depth++] = n + 1;
    }
    return false;
}

}  // namespace pliant::mesh
