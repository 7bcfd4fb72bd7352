// Boxes along the axes.
#pragma once

#include <pliant/vector.h>

#include <cmath>
#include <limits>
#include <span>

namespace pliant {

template <class T>
Vector3<T> componentwise_min(const Vector3<T>& a, const Vector3<T>& b) {
    return {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}
template <class T>
Vector3<T> componentwise_max(const Vector3<T>& a, const Vector3<T>& b) {
    return {a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z};
}

// Empty at first: the low end is above the high one.
template <class T>
struct BoundsOf {
    static constexpr T huge = std::numeric_limits<T>::infinity();
    Vector3<T> low{huge, huge, huge}, high{-huge, -huge, -huge};

    // Points that are not finite are left out.
    void add(const Vector3<T>& p) {
        if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) return;
        low = componentwise_min(low, p);
        high = componentwise_max(high, p);
    }
    void add(const BoundsOf& other) {
        low = componentwise_min(low, other.low);
        high = componentwise_max(high, other.high);
    }

    bool empty() const { return !(low.x <= high.x && low.y <= high.y && low.z <= high.z); }
    // Of an empty box: 0.
    Vector3<T> center() const { return empty() ? Vector3<T>{} : (low + high) * T(0.5); }
    Vector3<T> extent() const { return empty() ? Vector3<T>{} : high - low; }
    T diagonal() const {
        const Vector3<T> d = extent();
        return std::sqrt(dot(d, d));
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
    // 0 inside; infinite from an empty box.
    double squared_distance(const Vec3d& p) const {
        const auto beyond = [](double below, double above) {
            const double further = below > above ? below : above;
            return further > 0 ? further : 0.0;
        };
        const double x = beyond(low.x - p.x, p.x - high.x), y = beyond(low.y - p.y, p.y - high.y),
                     z = beyond(low.z - p.z, p.z - high.z);
        return x * x + y * y + z * z;
    }
};

using Bounds3 = BoundsOf<float>;
using Bounds3d = BoundsOf<double>;

template <class T>
BoundsOf<T> bounds_of(std::span<const Vector3<T>> points) {
    BoundsOf<T> bounds;
    for (const Vector3<T>& p : points) bounds.add(p);
    return bounds;
}

}  // namespace pliant
