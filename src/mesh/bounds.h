// Boxes along the axes.
#pragma once

#include <pliant/vector.h>

#include <limits>

#include "base/scalar.h"

namespace pliant::mesh {

inline Vec3 smaller(const Vec3& a, const Vec3& b) { return {min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)}; }
inline Vec3 larger(const Vec3& a, const Vec3& b) { return {max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)}; }

// Nothing yet: the low end is above the high one.
struct Bounds {
    static constexpr float huge = std::numeric_limits<float>::infinity();
    Vec3 low{huge, huge, huge}, high{-huge, -huge, -huge};

    void add(const Vec3& p) {
        low = smaller(low, p);
        high = larger(high, p);
    }
    void add(const Bounds& other) {
        low = smaller(low, other.low);
        high = larger(high, other.high);
    }
    bool meets(const Bounds& other) const {
        return low.x <= other.high.x && other.low.x <= high.x && low.y <= other.high.y &&
               other.low.y <= high.y && low.z <= other.high.z && other.low.z <= high.z;
    }
    // Has the other in its inside, without touching.
    bool surrounds(const Bounds& other) const {
        return low.x < other.low.x && other.high.x < high.x && low.y < other.low.y && other.high.y < high.y &&
               low.z < other.low.z && other.high.z < high.z;
    }
    // 0 inside; infinite from nothing.
    double squared_distance(const Vec3d& p) const {
        const double x = max(max(low.x - p.x, p.x - high.x), 0.0),
                     y = max(max(low.y - p.y, p.y - high.y), 0.0),
                     z = max(max(low.z - p.z, p.z - high.z), 0.0);
        return x * x + y * y + z * z;
    }
};

}  // namespace pliant::mesh
