#pragma once

#include <pliant/vector.h>

#include "base/scalar.h"

namespace pliant::mesh {

inline Vec3d closest_on_segment(const Vec3d& a, const Vec3d& b, const Vec3d& p) {
    const double share = divide_or_zero(dot(p - a, b - a), dot(b - a, b - a));
    return a + (b - a) * min(max(share, 0.0), 1.0);
}

// Above the inside of the triangle it is the foot of the perpendicular, with barycentric weights ≥ 0;
// elsewhere it lies on a side whose opposite corner has a negative weight. A degenerate triangle is its
// sides.
inline Vec3d closest_on_triangle(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p) {
    const Vec3d normal = cross(b - a, c - a);
    const double size = dot(normal, normal);
    const double at_a = dot(cross(c - b, p - b), normal), at_b = dot(cross(a - c, p - c), normal),
                 at_c = dot(cross(b - a, p - a), normal);
    if (size > 0 && at_a >= 0 && at_b >= 0 && at_c >= 0)
        return a + (b - a) * (at_b / size) + (c - a) * (at_c / size);
    Vec3d nearest = a;
    const auto consider = [&](double weight, const Vec3d& q) {
        if ((weight < 0 || !(size > 0)) && dot(q - p, q - p) < dot(nearest - p, nearest - p)) nearest = q;
    };
    consider(at_a, closest_on_segment(b, c, p));
    consider(at_b, closest_on_segment(c, a, p));
    consider(at_c, closest_on_segment(a, b, p));
    return nearest;
}

}  // namespace pliant::mesh
