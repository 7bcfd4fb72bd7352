// One animated quantity of a glTF node, and rotations as glTF has them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/rotation.h"

namespace pliant::mesh::gltf {

inline Quaternion quaternion_of(const std::vector<double>& numbers, std::size_t at = 0) {
    const auto f = [&](std::size_t i) { return static_cast<float>(numbers[at + i]); };
    return {f(0), f(1), f(2), f(3)};
}

// Of a rotation matrix with these columns. The largest of the four squares is divided by.
inline Quaternion quaternion_of(const Vec3d& x, const Vec3d& y, const Vec3d& z) {
    const double w4 = 1 + x.x + y.y + z.z, x4 = 1 + x.x - y.y - z.z, y4 = 1 - x.x + y.y - z.z,
                 z4 = 1 - x.x - y.y + z.z, most = std::max({w4, x4, y4, z4});
    const auto q = [](double a, double b, double c, double d) {
        return Quaternion{float(a), float(b), float(c), float(d)};
    };
    if (most == w4) return q(y.z - z.y, z.x - x.z, x.y - y.x, w4);
    if (most == x4) return q(x4, x.y + y.x, z.x + x.z, y.z - z.y);
    if (most == y4) return q(x.y + y.x, y4, y.z + z.y, z.x - x.z);
    return q(z.x + x.z, y.z + z.y, z4, x.y - y.x);
}

// Along the arc, by halves: the middle of a chord of the unit sphere is that of the arc.
inline Quaternion slerp(Quaternion p, Quaternion q, double share) {
    for (int i = 0; i < 8; ++i) {
        const Quaternion middle = to_quaternion(unit(mix(p, q, 0.5)));
        share *= 2;
        (share < 1 ? q : p) = middle;
        if (share >= 1) share -= 1;
    }
    return mix(p, q, share);
}

// One animated quantity of a node: keys with 3 or 4 numbers each.
struct Track {
    enum class Between { step, linear, cubic } between = Between::linear;
    std::vector<double> times{}, values{};
    std::size_t each = 3;

    // Of a cubic spline a key has an incoming tangent, a value, an outgoing tangent.
    double value(std::size_t key, std::size_t component, std::size_t part = 1) const {
        return between == Between::cubic ? values[(3 * key + part) * each + component]
                                         : values[key * each + component];
    }
    std::vector<double> key(std::size_t i) const {
        std::vector<double> result;
        for (std::size_t c = 0; c < each; ++c) result.push_back(value(i, c));
        return result;
    }
    std::vector<double> at(double time) const {
        if (time <= times.front()) return key(0);
        if (time >= times.back()) return key(times.size() - 1);
        const auto after = std::upper_bound(times.begin(), times.end(), time);
        const std::size_t j = static_cast<std::size_t>(after - times.begin()), i = j - 1;
        const double span = times[j] - times[i], s = (time - times[i]) / span;
        if (between == Between::step) return key(i);
        if (between == Between::linear && each == 4) {
            const Quaternion q = slerp(quaternion_of(key(i)), quaternion_of(key(j)), s);
            return {q.x, q.y, q.z, q.w};
        }
        std::vector<double> result;
        for (std::size_t c = 0; c < each; ++c) {
            const double a = value(i, c), b = value(j, c);
            if (between == Between::linear) {
                result.push_back(a + (b - a) * s);
                continue;
            }
            // Hermite's cubic.
            const double leaving = span * value(i, c, 2), arriving = span * value(j, c, 0);
            result.push_back((2 * s * s * s - 3 * s * s + 1) * a + (s * s * s - 2 * s * s + s) * leaving +
                             (3 * s * s - 2 * s * s * s) * b + (s * s * s - s * s) * arriving);
        }
        return result;
    }
};

}  // namespace pliant::mesh::gltf
