// Colliders as signed distances, in the frame of the particles they meet, generic in the number type.
//
// contact(shape, x, step, r) answers for a particle of radius r that moved by `step` to x: the signed
// distance to the shape and the outward normal there. Where the step is long against the shape, the
// whole segment x − step → x is tested, and the answer is the tangent plane at the entry point: nothing
// tunnels. A particle that was deep inside already leaves by the nearest way; one that rounding left just
// inside the surface counts as outside.
#pragma once

#include <pliant/vector.h>

#include <cstddef>

#include "base/scalar.h"

namespace pliant {

// How far behind its start, as a share of the step, the entry into a shape may lie.
inline constexpr float entry_tolerance = 0.01f;

// The surface of a collider. While a substep lasts, its point at x moves by shift + spin×(x − pivot).
struct Surface {
    float friction = 0;
    float restitution = 0;
    bool moves = false;
    Vec3 shift{}, pivot{};  // m
    Vec3 spin{};            // rad
};

struct PlaneShape : Surface {
    Vec3 normal;       // unit
    float offset = 0;  // m: normal·x = offset on the plane
};

struct SphereShape : Surface {
    Vec3 center;       // m
    float radius = 0;  // m
};

struct BoxShape : Surface {
    Vec3 center;        // m
    Vec3 axes[3];       // unit, in world directions
    Vec3 half_extents;  // m
};

struct ColliderSet {
    const PlaneShape* planes = nullptr;
    std::size_t plane_count = 0;
    const SphereShape* spheres = nullptr;
    std::size_t sphere_count = 0;
    const BoxShape* boxes = nullptr;
    std::size_t box_count = 0;
};

template <class T>
struct Contact {
    T distance;
    Vector3<T> normal;
};

template <class T>
[[gnu::always_inline]] inline Vector3<T> spread(const Vec3& a) {
    return {T(a.x), T(a.y), T(a.z)};
}

template <class Mask, class T>
[[gnu::always_inline]] inline Vector3<T> select(const Mask& m, const Vector3<T>& a, const Vector3<T>& b) {
    return {select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}

template <class T>
[[gnu::always_inline]] inline Vector3<T> motion_at(const Surface& surface, const Vector3<T>& x) {
    return spread<T>(surface.shift) + cross(spread<T>(surface.spin), x - spread<T>(surface.pivot));
}

// φ = n·x − offset − r
template <class T>
[[gnu::always_inline]] inline Contact<T> contact(const PlaneShape& plane, const Vector3<T>& x,
                                                 const Vector3<T>&, T r) {
    const Vector3<T> n = spread<T>(plane.normal);
    return {dot(n, x) - T(plane.offset) - r, n};
}

// φ = |x − c| − R − r. Swept: |p + t·d| = R + r at the smaller root t in [0, 1], p = x − c − d outside.
template <class T>
[[gnu::always_inline]] inline Contact<T> contact(const SphereShape& sphere, const Vector3<T>& x,
                                                 const Vector3<T>& step, T r) {
    const Vector3<T> y = x - spread<T>(sphere.center);
    const T reach = T(sphere.radius) + r;
    const T length = sqrt(dot(y, y));
    const auto at_center = length <= T(0.0f);
    Contact<T> nearest{length - reach, y * (T(1.0f) / select(at_center, T(1.0f), length))};
    nearest.normal.y = select(at_center, T(1.0f), nearest.normal.y);

    const T a = dot(step, step);
    const auto is_long = a > T(0.25f) * reach * reach;
    if (!any(is_long)) return nearest;
    const Vector3<T> p = y - step;
    const T b = dot(p, step);
    const T c = dot(p, p) - reach * reach;
    const T discriminant = b * b - a * c;
    const T entry_time = (-b - sqrt(max(discriminant, T(0.0f)))) / a;
    const auto hit =
        is_long & (discriminant > T(0.0f)) & (entry_time >= T(-entry_tolerance)) & (entry_time <= T(1.0f));
    const Vector3<T> entry = p + step * max(entry_time, T(0.0f));
    const Vector3<T> n = entry * (T(1.0f) / sqrt(dot(entry, entry)));
    return {select(hit, dot(y - entry, n), nearest.distance), select(hit, n, nearest.normal)};
}

// In the box's axes, q = |y| − e: outside, φ = |max(q, 0)| − r; inside, the largest q counts. Swept: the
// entry into the box grown by r (its corners stay sharp there), slab by slab.
template <class T>
[[gnu::always_inline]] inline Contact<T> contact(const BoxShape& box, const Vector3<T>& x,
                                                 const Vector3<T>& step, T r) {
    const Vector3<T> axis[3] = {spread<T>(box.axes[0]), spread<T>(box.axes[1]), spread<T>(box.axes[2])};
    const Vector3<T> y = x - spread<T>(box.center);
    const float extents[3] = {box.half_extents.x, box.half_extents.y, box.half_extents.z};
    const T zero(0.0f), one(1.0f);

    T local[3], q[3], outside[3], sign[3];
    for (int i = 0; i < 3; ++i) {
        local[i] = dot(axis[i], y);
        sign[i] = select(local[i] < zero, -one, one);
        q[i] = abs(local[i]) - T(extents[i]);
        outside[i] = max(q[i], zero);
    }
    const T length = sqrt(outside[0] * outside[0] + outside[1] * outside[1] + outside[2] * outside[2]);
    const auto is_outside = length > zero;
    const T inverse = one / select(is_outside, length, one);
    const T deepest = max(q[0], max(q[1], q[2]));
    const auto face0 = q[0] >= deepest;
    const auto face1 = q[1] >= deepest;
    T n[3] = {select(face0, one, zero), select(face0, zero, select(face1, one, zero)), zero};
    n[2] = one - n[0] - n[1];
    for (int i = 0; i < 3; ++i) n[i] = select(is_outside, outside[i] * inverse, n[i]) * sign[i];
    T distance = select(is_outside, length, deepest) - r;

    const T thinnest = min(T(extents[0]), min(T(extents[1]), T(extents[2]))) + r;
    const auto is_long = dot(step, step) > T(0.25f) * thinnest * thinnest;
    if (any(is_long)) {
        T enter(-1.0f), leave(1.0f), entry_normal[3] = {zero, zero, zero};
        for (int i = 0; i < 3; ++i) {
            const T d = dot(axis[i], step), from = local[i] - d, e = T(extents[i]) + r;
            const T side = select(d > zero, -one, one);  // of the face that is met first
            const auto moves = abs(d) > zero;
            const T t0 = select(moves, (side * e - from) / d, T(-2.0f));
            const T t1 = select(moves, (-side * e - from) / d, T(2.0f));
            const auto misses = select(moves, zero, abs(from) - e) > zero;
            const auto later = t0 > enter;
            for (int k = 0; k < 3; ++k)
                entry_normal[k] = select(later, k == i ? side : zero, entry_normal[k]);
            enter = max(t0, enter);
            leave = select(misses, T(-3.0f), min(t1, leave));
        }
        const auto hit = is_long & (enter >= T(-entry_tolerance)) & (enter <= leave);
        enter = max(enter, zero);
        const T depth = dot(axis[0], step) * entry_normal[0] + dot(axis[1], step) * entry_normal[1] +
                        dot(axis[2], step) * entry_normal[2];
        distance = select(hit, depth * (one - enter), distance);
        for (int i = 0; i < 3; ++i) n[i] = select(hit, entry_normal[i], n[i]);
    }
    return {distance, axis[0] * n[0] + axis[1] * n[1] + axis[2] * n[2]};
}

}  // namespace pliant
