// What a surface encloses: any triangles, closed or not.
#pragma once

#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mesh/geometry/triangle_tree.h"
#include "mesh/geometry/winding.h"

namespace pliant::mesh {

class Solid {
public:
    // Coordinates must be finite and indices in range.
    explicit Solid(const TriangleMesh& surface);
    Solid(const Solid&) = delete;
    Solid& operator=(const Solid&) = delete;

    // Where the surface winds around a point more than half a time, either way round: holes are closed,
    // overlapping parts unite, an inner surface that faces the other way bounds a cavity.
    static bool is_inside(double winding) { return winding > 0.5 || winding < -0.5; }
    bool inside(const Vec3d& point) const { return is_inside(winding_.at(point)); }
    const TriangleTree& tree() const { return tree_; }
    const WindingNumber& winding() const { return winding_; }

    // Every edge is run as often one way as the other, by place of its ends. Then the winding number is a
    // whole number that changes only at the surface.
    bool closed() const { return open_edges_ == 0 && turned_edges_ == 0; }
    std::uint64_t open_edges() const { return open_edges_; }
    // Those that an even number of triangles meets, but not the same way round.
    std::uint64_t turned_edges() const { return turned_edges_; }

    std::uint32_t components() const { return components_; }
    std::span<const std::uint32_t> component_of_triangle() const { return component_of_triangle_; }

    Vec3d low() const { return low_; }
    Vec3d high() const { return high_; }
    double area() const { return area_; }
    double signed_volume() const { return signed_volume_; }

    std::vector<std::string> warnings() const;

private:
    void measure(const TriangleMesh& surface);
    void count_edges(std::span<const Triangle> welded);
    void find_components(std::span<const Triangle> welded, std::size_t vertices);

    TriangleTree tree_;
    WindingNumber winding_;
    std::uint64_t open_edges_ = 0, turned_edges_ = 0;
    std::uint32_t components_ = 0;
    std::vector<std::uint32_t> component_of_triangle_;
    Vec3d low_{}, high_{};
    double area_ = 0, signed_volume_ = 0;
};

}  // namespace pliant::mesh
