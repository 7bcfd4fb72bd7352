#include "collision/pairs/solid_overlap.h"

#include <pliant/bounds.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "base/convert.h"
#include "collision/pairs/closest_points.h"

namespace pliant::collision {
namespace {

constexpr std::size_t most_measured = 256;  // vertices: the way of others is left out

struct BoxedTetrahedron {
    Bounds3 box;
    std::array<Vec3d, 4> corners;
};

bool meet(const Bounds3& a, const Bounds3& b) {
    return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
           a.low.z <= b.high.z && b.low.z <= a.high.z;
}

double volume(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
    return dot(cross(b - a, c - a), d - a);
}

// Also of tetrahedra that are inside out.
bool contains(const BoxedTetrahedron& t, const Vec3& point) {
    if (!t.box.contains(point)) return false;
    const Vec3d p = to_double(point);
    const auto& [a, b, c, d] = t.corners;
    const double parts[4] = {volume(p, b, c, d), volume(a, p, c, d), volume(a, b, p, d), volume(a, b, c, p)};
    const auto [low, high] = std::minmax_element(parts, parts + 4);
    return (*low >= 0 && *high > 0) || (*high <= 0 && *low < 0);  // on its faces counts
}

Bounds3 box_of(std::span<const Vec3> positions) {
    Bounds3 box;
    for (const Vec3& p : positions) box.add(p);
    return box;
}

std::vector<Vec3> surface_vertices_in(const Solid& solid, const Bounds3& box) {
    std::vector<std::uint8_t> is_seen(solid.positions.size(), 0);
    std::vector<Vec3> found;
    for (const Triangle& triangle : solid.triangles) {
        for (const std::uint32_t corner : triangle) {
            const std::uint32_t p = corner - solid.first;
            if (is_seen[p]) continue;
            is_seen[p] = 1;
            if (box.contains(solid.positions[p])) found.push_back(solid.positions[p]);
        }
    }
    return found;
}

std::vector<BoxedTetrahedron> tetrahedra_in(const Solid& solid, const Bounds3& box) {
    std::vector<BoxedTetrahedron> found;
    for (const Tetrahedron& tetrahedron : solid.tetrahedra) {
        BoxedTetrahedron t;
        for (std::size_t k = 0; k < 4; ++k) {
            const Vec3& p = solid.positions[tetrahedron[k] - solid.first];
            t.box.add(p);
            t.corners[k] = to_double(p);
        }
        if (meet(t.box, box)) found.push_back(t);
    }
    return found;
}

// To the nearest point of the surface.
Vec3d way_out(const Solid& solid, const Vec3& point) {
    const Vec3d p = to_double(point);
    double nearest = std::numeric_limits<double>::infinity();
    Vec3d way{};
    for (const Triangle& triangle : solid.triangles) {
        const auto at = [&](std::size_t k) { return to_double(solid.positions[triangle[k] - solid.first]); };
        const ClosestPoints<double> c = closest_of_vertex_and_triangle(p, at(0), at(1), at(2));
        if (!(c.squared < nearest)) continue;
        nearest = c.squared;
        way = -c.apart;
    }
    return way;
}

}  // namespace

void SolidOverlap::add_reverse(const SolidOverlap& other) {
    inside += other.inside;
    way = way - other.way;
    depth = max(depth, other.depth);
}

SolidOverlap vertices_inside(const Solid& a, const Solid& b) {
    SolidOverlap result;
    const Bounds3 box_a = box_of(a.positions), box_b = box_of(b.positions);
    if (!meet(box_a, box_b)) return result;
    const std::vector<BoxedTetrahedron> tetrahedra = tetrahedra_in(b, box_a);
    std::vector<Vec3> inside;
    for (const Vec3& p : surface_vertices_in(a, box_b)) {
        if (std::any_of(tetrahedra.begin(), tetrahedra.end(),
                        [&](const BoxedTetrahedron& t) { return contains(t, p); }))
            inside.push_back(p);
    }
    result.inside = inside.size();
    const std::size_t stride = inside.size() / most_measured + 1;
    for (std::size_t i = 0; i < inside.size(); i += stride) {
        const Vec3d way = way_out(b, inside[i]);
        result.way = result.way + way;
        result.depth = max(result.depth, length(way));
    }
    return result;
}

}  // namespace pliant::collision
