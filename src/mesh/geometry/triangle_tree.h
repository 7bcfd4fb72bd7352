// A hierarchy of boxes around triangles: which one is nearest?
#pragma once

#include <pliant/bounds.h>
#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace pliant::mesh {

struct Nearest {
    double squared_distance = std::numeric_limits<double>::infinity();
    std::uint32_t triangle = 0xffffffff;
    std::uint32_t place = 0xffffffff;  // of the triangle in the tree's own order
};

class TriangleTree {
public:
    static constexpr std::uint32_t leaf_triangles = 4;  // at most

    // Parents stand before their children, the left child right behind its parent.
    struct Node {
        Bounds3 box{};
        std::uint32_t first = 0;  // a leaf's first triangle; an inner node's right child
        std::uint32_t count = 0;  // a leaf's triangles; 0: inner node
    };

    TriangleTree(std::span<const Vec3> positions, std::span<const Triangle> triangles);

    // The nearest triangle among those closer than √within; none: an infinite distance.
    Nearest nearest(const Vec3d& point, double within = std::numeric_limits<double>::infinity()) const;
    // On the surface.
    Vec3d closest(const Vec3d& point) const;
    bool any_within(const Vec3d& point, double within) const;

    std::span<const Node> nodes() const { return nodes_; }
    // Of the triangle in this place.
    std::array<Vec3d, 3> corners(std::uint32_t place) const;
    double squared_distance(const Vec3d& point, std::uint32_t place) const;
    std::uint32_t triangle(std::uint32_t place) const { return order_[place]; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(order_.size()); }

private:
    void build(std::span<const Vec3> centroids, std::uint32_t first, std::uint32_t count);

    std::vector<Node> nodes_;
    std::vector<std::uint32_t> order_;  // triangle in each place
    std::vector<std::array<Vec3, 3>> corners_;
};

}  // namespace pliant::mesh
