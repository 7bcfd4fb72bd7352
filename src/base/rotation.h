// Rotations: quaternions (x, y, z, w) of any length but 0, as a person gives them, and of length 1 in double
// precision, to compute with.
#pragma once

#include <pliant/description.h>
#include <pliant/vector.h>

#include <array>

#include "base/scalar.h"
#include "base/trigonometry.h"

namespace pliant {

inline double squared_length(const Quaternion& q) {
    return double(q.x) * q.x + double(q.y) * q.y + double(q.z) * q.z + double(q.w) * q.w;
}

// First b, then a.
inline Quaternion product(const Quaternion& a, const Quaternion& b) {
    const auto sum = [](double p, double q, double r, double s) { return static_cast<float>(p + q + r + s); };
    const double ax = a.x, ay = a.y, az = a.z, aw = a.w;
    return {sum(aw * b.x, ax * b.w, ay * b.z, -az * b.y), sum(aw * b.y, ay * b.w, az * b.x, -ax * b.z),
            sum(aw * b.z, az * b.w, ax * b.y, -ay * b.x), sum(aw * b.w, -ax * b.x, -ay * b.y, -az * b.z)};
}

// v + 2 u × (u × v + w v) / |q|², with q = (u, w)
inline Vec3d rotate(const Quaternion& q, const Vec3d& v) {
    const Vec3d u{q.x, q.y, q.z};
    const Vec3d turned = cross(u, cross(u, v) + v * double(q.w));
    const double half = squared_length(q) / 2;  // divided by, so that rational rotations stay exact
    return v + Vec3d{turned.x / half, turned.y / half, turned.z / half};
}

// From p to q by the straight line between unit quaternions, the shorter way.
inline Quaternion mix(const Quaternion& p, const Quaternion& q, double share) {
    const double cosine = double(p.x) * q.x + double(p.y) * q.y + double(p.z) * q.z + double(p.w) * q.w;
    const double a = (1 - share) / sqrt(squared_length(p));
    const double b = (cosine < 0 ? -share : share) / sqrt(squared_length(q));
    const auto sum = [&](float s, float t) { return static_cast<float>(a * s + b * t); };
    return {sum(p.x, q.x), sum(p.y, q.y), sum(p.z, q.z), sum(p.w, q.w)};
}

// About x, then about y, then about z.
inline Quaternion rotation_of_degrees(const Vec3d& degrees) {
    const auto half = [](double angle) { return sine_cosine_of_turns(angle / 720); };
    const SineCosine x = half(degrees.x), y = half(degrees.y), z = half(degrees.z);
    const auto f = [](double a) { return static_cast<float>(a); };
    return {f(x.sine * y.cosine * z.cosine - x.cosine * y.sine * z.sine),
            f(x.cosine * y.sine * z.cosine + x.sine * y.cosine * z.sine),
            f(x.cosine * y.cosine * z.sine - x.sine * y.sine * z.cosine),
            f(x.cosine * y.cosine * z.cosine + x.sine * y.sine * z.sine)};
}

// v·sin, w = cos of half the angle.
struct UnitQuaternion {
    Vec3d v{};
    double w = 1;
};

inline UnitQuaternion unit(const Quaternion& q) {
    const double length = sqrt(squared_length(q));
    return {{q.x / length, q.y / length, q.z / length}, q.w / length};
}

inline Quaternion to_quaternion(const UnitQuaternion& q) {
    const auto f = [](double a) { return static_cast<float>(a); };
    return {f(q.v.x), f(q.v.y), f(q.v.z), f(q.w)};
}

// First b, then a.
inline UnitQuaternion product(const UnitQuaternion& a, const UnitQuaternion& b) {
    return {b.v * a.w + a.v * b.w + cross(a.v, b.v), a.w * b.w - dot(a.v, b.v)};
}

inline Vec3d rotate(const UnitQuaternion& q, const Vec3d& x) {
    return x + cross(q.v, cross(q.v, x) + x * q.w) * 2.0;
}

// Where it takes the axes x, y and z: the columns of its matrix.
inline std::array<Vec3d, 3> axes_of(const UnitQuaternion& q) {
    const auto& [x, y, z] = q.v;
    const double w = q.w;
    return {Vec3d{1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)},
            Vec3d{2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)},
            Vec3d{2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)}};
}

// The rotation from p to q, the shorter way, as a vector: its axis times twice the sine of half the angle,
// which is the angle to second order.
inline Vec3d small_rotation(const UnitQuaternion& p, const UnitQuaternion& q) {
    const Vec3d v = q.v * p.w - p.v * q.w - cross(q.v, p.v);  // of q·p⁻¹
    return v * (dot(p.v, q.v) + p.w * q.w < 0 ? -2.0 : 2.0);
}

// Where a motion takes something, from where it starts.
struct Pose {
    Vec3d offset{};         // m
    Quaternion rotation{};  // about its own centre
};

}  // namespace pliant
