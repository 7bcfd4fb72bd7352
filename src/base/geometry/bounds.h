// Boxes along the axes.
#pragma once

#include <pliant/vector.h>

#include <limits>
#include <span>

#include "base/scalar.h"

namespace pliant {

template <class T>
Vector3<T> smaller(const Vector3<T>& a, const Vector3<T>& b) {
    return {min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)};
}
template <class T>
Vector3<T> larger(const Vector3<T>& a, const Vector3<T>& b) {
    return {max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)};
}

// Nothing yet: the low end is above the high one.
template <class T>
struct BoundsOf {
    static constexpr T huge = std::numeric_limits<T>::infinity();
    Vector3<T> low{huge, huge, huge}, high{-huge, -huge, -huge};

    void add(const Vector3<T>& p) {
        low = smaller(low, p);
        high = larger(high, p);
    }
    void add(const BoundsOf& other) {
        low = smaller(low, other.low);
        high = larger(high, other.high);
    }
    bool contains(const Vector3<T>& p) const {
        return low.x <= p.x && p.x <= high.x && low.y <= p.y && p.y <= high.y && low.z <= p.z &&
               p.z <= high.z;
    }
    bool meets(const BoundsOf& other) const {
        return low.x <= other.high.x && other.low.x <= high.x && low.y <= other.high.y &&
               other.low.y <= high.y && low.z <= other.high.z && other.low.z <= high.z;
    }
    // Has the other in its inside, without touching.
    bool surrounds(const BoundsOf& other) const {
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

using Bounds = BoundsOf<float>;

template <class T>
BoundsOf<T> bounds_of(std::span<const Vector3<T>> points) {
    BoundsOf<T> bounds;
    for (const Vector3<T>& p : points) bounds.add(p);
    return bounds;
}

}  // namespace pliant
