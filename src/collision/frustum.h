// What cylinders and cones have in common: all that lies between two discs on one axis.
//
//        s ↑      R₂
//          ├──────╲          top    h = s − L
//          │       ╲  m      side   h = m·((ρ, s) − (R₁, −L)),  m = (2L, R₁ − R₂)/|…|
//          │        ╲        bottom h = −s − L
//          └─────────┴ → ρ
//               R₁           ρ: from the axis, s: along it, from the middle
#pragma once

#include <pliant/shapes.h>

#include "base/convert.h"
#include "base/trigonometry.h"
#include "collision/collider_kind.h"
#include "collision/sweep.h"

namespace pliant::collision {

struct LocalFrustum : ContactSurface {
    Vec3 center;                    // m, halfway between the discs
    Vec3 axis;                      // unit, from the bottom to the top
    Vec3 side;                      // unit, at right angles to it
    float half_length = 0;          // m, L
    float bottom = 0, top = 0;      // m, R₁ and R₂
    float outward = 1, upward = 0;  // m
    float slant = 0;                // m, from rim to rim
    float is_thin_below = 0;        // m: steps that are longer are followed all the way
};

namespace frustum {

struct Ends {
    Vec3d a{}, b{};              // m, centres of the discs
    double bottom = 0, top = 0;  // m, their radii
};

inline Vec3d middle(const Ends& ends) { return (ends.a + ends.b) * 0.5; }
inline Vec3d axis_of(const Ends& ends) { return unit(ends.b - ends.a); }

inline LocalFrustum localize(const Ends& ends, const Vec3d& origin, double is_thin_below) {
    const Vec3d axis = axis_of(ends);
    const double height = length(ends.b - ends.a), narrowing = ends.bottom - ends.top;
    const double slant = sqrt(height * height + narrowing * narrowing);
    LocalFrustum local;
    local.center = to_float(middle(ends) - origin);
    local.axis = to_float(axis);
    local.side = to_float(perpendicular(axis));
    local.half_length = static_cast<float>(height / 2);
    local.bottom = static_cast<float>(ends.bottom);
    local.top = static_cast<float>(ends.top);
    local.outward = static_cast<float>(height / slant);
    local.upward = static_cast<float>(narrowing / slant);
    local.slant = static_cast<float>(slant);
    local.is_thin_below = static_cast<float>(is_thin_below);
    return local;
}

// φ inside: the largest h; outside: the distance to the nearest of bottom, side and top, in the plane of ρ
// and s. The normal is turned back into space. On the axis there is no direction outward; `side` is one.
template <class T>
[[gnu::always_inline]] inline Contact<T> distance_at(const LocalFrustum& f, const Vector3<T>& x, T r) {
    const T zero(0.0f), one(1.0f), L(f.half_length), R1(f.bottom), R2(f.top);
    const Vector3<T> y = x - spread<T>(f.center), axis = spread<T>(f.axis);
    const T s = dot(axis, y);
    const Vector3<T> across = y - axis * s;
    const T rho = sqrt(dot(across, across));
    const auto on_axis = rho <= zero;
    const Vector3<T> radial = select(on_axis, spread<T>(f.side), across * (one / select(on_axis, one, rho)));

    const T out(f.outward), up(f.upward);
    const T below = -s - L, above = s - L, beside = out * (rho - R1) + up * (s + L);
    const T deepest = max(beside, max(below, above));
    const auto is_inside = deepest <= zero;
    const auto by_side = (beside >= deepest) | (beside > zero);
    const T cap = select(above >= below, one, -one);
    const T inner_radial = select(by_side, out, zero), inner_axial = select(by_side, up, cap);

    // To the point from the nearest one of a disc, then from that of the side.
    const auto at_top = above > below;
    const T disc_radial = max(rho - select(at_top, R2, R1), zero), disc_axial = select(at_top, above, -below);
    const T along = out * (s + L) - up * (rho - R1);
    const T share = min(max(along, zero), T(f.slant));
    const T side_radial = rho - R1 + up * share, side_axial = s + L - out * share;
    const T to_disc = disc_radial * disc_radial + disc_axial * disc_axial;
    const T to_side = side_radial * side_radial + side_axial * side_axial;
    const auto disc_is_nearer = to_disc < to_side;
    // Between the rims the side's own normal is exact, however near.
    const auto beside_it = (along > zero) & (along < T(f.slant)) & (beside >= zero) & !disc_is_nearer;
    const T distance = select(beside_it, beside, sqrt(select(disc_is_nearer, to_disc, to_side)));
    const auto touches = distance <= zero;
    const T inverse = one / select(touches, one, distance);
    const auto plain = is_inside | touches | beside_it;
    const T radial_part =
        select(plain, inner_radial, select(disc_is_nearer, disc_radial, side_radial) * inverse);
    const T axial_part = select(plain, inner_axial, select(disc_is_nearer, disc_axial, side_axial) * inverse);
    return {select(is_inside, deepest, distance) - r, radial * radial_part + axis * axial_part};
}

template <class T>
[[gnu::always_inline]] inline Contact<T> contact(const LocalFrustum& f, const Vector3<T>& x,
                                                 const Vector3<T>& step, T r) {
    const Contact<T> nearest = distance_at(f, x, r);
    const T thin = T(f.is_thin_below) + max(r, T(0.0f)) * T(0.5f);
    const auto is_long = dot(step, step) > thin * thin;
    if (!any(is_long)) return nearest;
    const auto at = [&](const Vector3<T>& y) __attribute__((always_inline)) { return distance_at(f, y, r); };
    return sweep<Form::convex>(at, x, step, nearest, is_long);
}

inline Clearance clearance(const LocalFrustum& f, const LocalBounds& bounds) {
    const Vec3d c = to_double(f.center), a = to_double(f.axis);
    const double radius = max(f.bottom, f.top), L = f.half_length;
    const auto half = [&](double along) {
        return abs(along) * L + sqrt(max(1 - along * along, 0.0)) * radius;
    };
    return {distance_between(bounds, c, {half(a.x), half(a.y), half(a.z)}), min(radius, L),
            length(c) + L + radius};
}

// A disc of radius R reaches √(1 − a²)·R along an axis of the world.
inline Bounds bounds(const Ends& ends) {
    const Vec3d a = axis_of(ends);
    Bounds all;
    for (double Vec3d::*c : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
        const double reach = sqrt(max(1 - a.*c * (a.*c), 0.0));
        all.low.*c = min(ends.a.*c - reach * ends.bottom, ends.b.*c - reach * ends.top);
        all.high.*c = max(ends.a.*c + reach * ends.bottom, ends.b.*c + reach * ends.top);
    }
    return all;
}

inline Vec3d turn(const Ends& from, const Ends& to) { return cross(axis_of(from), axis_of(to)); }

inline Ends mix(const Ends& from, const Ends& to, double share) {
    const auto even = [&](double a, double b) { return a * (1 - share) + b * share; };
    const Vec3d blended = axis_of(from) * (1 - share) + axis_of(to) * share;
    const bool opposite = dot(blended, blended) == 0;  // no way is shorter than another
    const Vec3d half =
        (opposite ? axis_of(to) : unit(blended)) * (even(length(from.b - from.a), length(to.b - to.a)) / 2);
    const Vec3d center = middle(from) + (middle(to) - middle(from)) * share;
    return {center - half, center + half, even(from.bottom, to.bottom), even(from.top, to.top)};
}

inline Ends moved(const Ends& ends, const Pose& pose) {
    const Vec3d center = middle(ends) + pose.offset, half = rotate(pose.rotation, (ends.b - ends.a) * 0.5);
    return {center - half, center + half, ends.bottom, ends.top};
}

// Two discs and the side between them, with sharp rims.
inline TriangleMesh surface(const Ends& ends, const Vec3d& center) {
    constexpr std::uint32_t segments = 64;
    const Vec3d axis = axis_of(ends), u = perpendicular(axis), v = cross(axis, u);
    const double height = length(ends.b - ends.a), narrowing = ends.bottom - ends.top;
    TriangleMesh mesh;
    const auto add = [&](Triangle corners, std::array<Vec3d, 3> n) {
        mesh.triangles.push_back(corners);
        mesh.normals.push_back({to_float(n[0]), to_float(n[1]), to_float(n[2])});
    };
    mesh.positions = {to_float(ends.a - center), to_float(ends.b - center)};
    std::array<Vec3d, segments> out;
    for (std::uint32_t i = 0; i < segments; ++i) {
        const SineCosine angle = sine_cosine_of_turns(double(i) / segments);
        out[i] = u * angle.cosine + v * angle.sine;
        mesh.positions.push_back(to_float(ends.a - center + out[i] * ends.bottom));
        mesh.positions.push_back(to_float(ends.b - center + out[i] * ends.top));
    }
    const auto slope = [&](const Vec3d& d) { return unit(d * height + axis * narrowing); };
    for (std::uint32_t i = 0; i < segments; ++i) {
        const std::uint32_t j = (i + 1) % segments, a = 2 + 2 * i, b = 2 + 2 * j;
        const Vec3d n = slope(out[i]), m = slope(out[j]), between = slope(out[i] + out[j]);
        if (ends.bottom > 0) add({0, b, a}, {axis * -1.0, axis * -1.0, axis * -1.0});
        if (ends.top > 0) add({1, a + 1, b + 1}, {axis, axis, axis});
        if (ends.bottom > 0) add({a, b, ends.top > 0 ? b + 1 : 1}, {n, m, ends.top > 0 ? m : between});
        if (ends.top > 0) add({a, b + 1, a + 1}, {n, m, n});
    }
    return mesh;
}

inline std::optional<Error> check(const Ends& ends, const std::string& path) {
    if (length(ends.b - ends.a) > 0) return {};
    return Error{path + "/b", "must differ from a: between them lies the length"};
}

}  // namespace frustum
}  // namespace pliant::collision
