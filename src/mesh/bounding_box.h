// The smallest axis-parallel box around points.
#pragma once

#include <pliant/vector.h>

#include <algorithm>
#include <span>

namespace pliant::mesh {

struct BoundingBox {
    Vec3d low{}, high{};

    bool contains(const Vec3d& p) const {
        return low.x <= p.x && p.x <= high.x && low.y <= p.y && p.y <= high.y && low.z <= p.z &&
               p.z <= high.z;
    }
    void extend(const Vec3d& p) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
};

// Of no points: the origin.
inline BoundingBox bounding_box(std::span<const Vec3d> points) {
    if (points.empty()) return {};
    BoundingBox box{points[0], points[0]};
    for (const Vec3d& p : points) box.extend(p);
    return box;
}

}  // namespace pliant::mesh
