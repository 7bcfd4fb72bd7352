#include "mesh/geometry/intersection.h"

#include <cstddef>
#include <vector>

#include "base/convert.h"
#include "mesh/geometry/box_tree.h"
#include "mesh/geometry/coincident_points.h"
#include "mesh/geometry/predicates.h"

namespace pliant::mesh {
namespace {

using Corners = std::array<Vec3d, 3>;
using Signs = std::array<int, 3>;

double coordinate(const Vec3d& p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

// Which way a, b, c turn as seen along an axis: the side of the plane z = 0 on which a point above a lies.
int turn(const Vec3d& a, const Vec3d& b, const Vec3d& c, int axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const Vec3d pa{coordinate(a, u), coordinate(a, v), 0};
    return orient3d(pa, {coordinate(b, u), coordinate(b, v), 0}, {coordinate(c, u), coordinate(c, v), 0},
                    {pa.x, pa.y, 1});
}

bool all_alike(const Signs& s, int sign) { return s[0] == sign && s[1] == sign && s[2] == sign; }
// No two of opposite sign.
bool none_opposite(const Signs& s) {
    return (s[0] >= 0 && s[1] >= 0 && s[2] >= 0) || (s[0] <= 0 && s[1] <= 0 && s[2] <= 0);
}

// The sides of the triangle's plane on which points lie.
Signs sides_of(const Corners& triangle, const Corners& points) {
    Signs s;
    for (std::size_t k = 0; k < 3; ++k) s[k] = orient3d(triangle[0], triangle[1], triangle[2], points[k]);
    return s;
}

// A segment whose ends are not both in the triangle's plane and not both on one side of it.
bool crossing_meets(const Vec3d& p, const Vec3d& q, const Corners& t) {
    return none_opposite(
        {orient3d(p, q, t[0], t[1]), orient3d(p, q, t[1], t[2]), orient3d(p, q, t[2], t[0])});
}

// In one plane, as seen along the axis.
bool coplanar_segments_meet(const Vec3d& p, const Vec3d& q, const Vec3d& a, const Vec3d& b, int axis) {
    const int pa = turn(p, q, a, axis), pb = turn(p, q, b, axis);
    const int ap = turn(a, b, p, axis), aq = turn(a, b, q, axis);
    if (pa == 0 && pb == 0) {
        // All on one line: they meet if their extents do.
        for (int k = 0; k < 3; ++k) {
            const double p_k = coordinate(p, k), q_k = coordinate(q, k), a_k = coordinate(a, k),
                         b_k = coordinate(b, k);
            if (max(p_k, q_k) < min(a_k, b_k) || max(a_k, b_k) < min(p_k, q_k)) return false;
        }
        return true;
    }
    return pa * pb <= 0 && ap * aq <= 0;
}

bool coplanar_contains(const Corners& t, const Vec3d& p, int axis) {
    return none_opposite({turn(t[0], t[1], p, axis), turn(t[1], t[2], p, axis), turn(t[2], t[0], p, axis)});
}

bool coplanar_triangles_meet(const Corners& a, const Corners& b) {
    // Along an axis from which the plane is not seen edge-on.
    int axis = 0;
    while (axis < 2 && turn(a[0], a[1], a[2], axis) == 0) ++axis;
    if (coplanar_contains(a, b[0], axis) || coplanar_contains(b, a[0], axis)) return true;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
            if (coplanar_segments_meet(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3], axis)) return true;
        }
    }
    return false;
}

// Whether a side of `points` that reaches or crosses the triangle's plane meets the triangle.
bool side_meets(const Corners& points, const Signs& sides, const Corners& triangle) {
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3;
        const bool crosses = sides[i] * sides[j] <= 0 && (sides[i] != 0 || sides[j] != 0);
        if (crosses && crossing_meets(points[i], points[j], triangle)) return true;
    }
    return false;
}

}  // namespace

bool has_no_area(const Vec3& a, const Vec3& b, const Vec3& c) {
    // A component of the cross product that exceeds its rounding errors decides.
    const Vec3d p = to_double(b) - to_double(a), q = to_double(c) - to_double(a);
    const auto clear = [](double x, double y) { return abs(x - y) > 1e-15 * (abs(x) + abs(y)); };
    if (clear(p.y * q.z, p.z * q.y) || clear(p.z * q.x, p.x * q.z) || clear(p.x * q.y, p.y * q.x))
        return false;
    return collinear(to_double(a), to_double(b), to_double(c));
}

bool triangles_meet(const Corners& a, const Corners& b) {
    const Signs b_sides = sides_of(a, b);
    if (all_alike(b_sides, 1) || all_alike(b_sides, -1)) return false;
    if (all_alike(b_sides, 0)) return coplanar_triangles_meet(a, b);
    const Signs a_sides = sides_of(b, a);
    if (all_alike(a_sides, 1) || all_alike(a_sides, -1)) return false;
    // Where two triangles in different planes meet, an end of what they share lies on a side of one.
    return side_meets(b, b_sides, a) || side_meets(a, a_sides, b);
}

std::uint64_t count_intersecting_pairs(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                                       std::uint64_t limit) {
    const std::vector<std::uint32_t> place = first_at_place(positions);
    std::vector<Bounds3> boxes(triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        for (const std::uint32_t corner : triangles[t]) boxes[t].add(positions[corner]);
    }
    const auto corners_of = [&](std::size_t t) {
        return Corners{to_double(positions[triangles[t][0]]), to_double(positions[triangles[t][1]]),
                       to_double(positions[triangles[t][2]])};
    };
    const auto share_corner = [&](std::size_t s, std::size_t t) {
        for (const std::uint32_t a : triangles[s]) {
            for (const std::uint32_t b : triangles[t]) {
                if (place[a] == place[b]) return true;
            }
        }
        return false;
    };
    const BoxTree tree(boxes);
    std::uint64_t count = 0;
    for (std::size_t t = 0; t < triangles.size() && count < limit; ++t) {
        tree.for_each_meeting(boxes[t], [&](std::uint32_t other) {
            if (other <= t || count >= limit || share_corner(t, other)) return;
            count += triangles_meet(corners_of(t), corners_of(other));
        });
    }
    return count;
}

}  // namespace pliant::mesh
