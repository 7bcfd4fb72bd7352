#pragma once

#include "base/convert.h"
#include "base/trigonometry.h"
#include "collision/collider_kind.h"
#include "collision/sweep.h"

namespace pliant {

template <>
struct FieldTable<Torus> {
    static constexpr const char* name = "Torus";
    static constexpr const char* summary = "A ring that nothing enters.";
    static constexpr auto fields = std::tuple{
        Field{"center", &Torus::center, "m", ranges::any, "Its centre."},
        Field{"axis", &Torus::axis, "", ranges::any, "Through the hole; any length but 0."},
        Field{"major_radius", &Torus::major_radius, "m", Range{0, 1e9, true},
              "From the centre to the middle of the tube."},
        Field{"minor_radius", &Torus::minor_radius, "m", Range{0, 1e9, true}, "Of the tube."},
    };
};

}  // namespace pliant

namespace pliant::collision {

struct LocalTorus : ContactSurface {
    Vec3 center;                 // m
    Vec3 axis, side;             // unit, at right angles to each other
    float major = 0, minor = 0;  // m
};

struct TorusCollider {
    using Shape = Torus;
    using Local = LocalTorus;
    static constexpr const char* name = "torus";
    static constexpr bool meets_faces(bool) { return true; }
    static constexpr bool inverts_itself = true;  // a step may leave the tube and enter it again elsewhere

    static Local localize(const Torus& torus, const Vec3d& origin) {
        const Vec3d axis = axis_of(torus);
        Local local;
        local.center = to_float(torus.center - origin);
        local.axis = to_float(axis);
        local.side = to_float(perpendicular(axis));
        local.major = torus.major_radius;
        local.minor = torus.minor_radius;
        return local;
    }

    template <class T>
    [[gnu::always_inline]] static Contact<T> contact(const Local& torus, const Vector3<T>& x,
                                                     const Vector3<T>& step, T r) {
        const Contact<T> nearest = distance_at(torus, x, r);
        const T thin = (T(torus.minor) + r) * T(0.5f);
        const auto is_long = dot(step, step) > thin * thin;
        if (!any(is_long)) return nearest;
        const auto at = [&](const Vector3<T>& y) __attribute__((always_inline)) {
            return distance_at(torus, y, r);
        };
        return sweep<Form::any>(at, x, step, nearest, is_long);
    }

    static Clearance clearance(const Local& torus, const LocalBounds& bounds) {
        const Vec3d c = to_double(torus.center);
        const double minor = torus.minor;
        return {distance_between(bounds, c, reach(to_double(torus.axis), torus.major)) - minor, minor,
                length(c) + torus.major + minor};
    }

    static Bounds bounds(const Torus& torus) {
        const double r = torus.minor_radius;
        const Vec3d half = reach(axis_of(torus), torus.major_radius) + Vec3d{r, r, r};
        return {torus.center - half, torus.center + half};
    }

    // It has no roll: turning about its own axis changes nothing.
    static Vec3d point(const Torus& torus) { return torus.center; }
    static Vec3d turn(const Torus& from, const Torus& to) { return cross(axis_of(from), axis_of(to)); }
    static Torus mix(const Torus& from, const Torus& to, double share) {
        const auto even = [&](float a, float b) { return static_cast<float>(a * (1 - share) + b * share); };
        const Vec3d axis = axis_of(from) * (1 - share) + axis_of(to) * share;
        const bool opposite = dot(axis, axis) == 0;  // the same ring
        return {from.center + (to.center - from.center) * share, opposite ? to.axis : to_float(axis),
                even(from.major_radius, to.major_radius), even(from.minor_radius, to.minor_radius)};
    }
    static Torus moved(const Torus& torus, const Pose& pose) {
        return {torus.center + pose.offset, to_float(rotate(pose.rotation, to_double(torus.axis))),
                torus.major_radius, torus.minor_radius};
    }

    static TriangleMesh surface(const Torus& torus, const Vec3d& center, double) {
        constexpr std::uint32_t around = 96, across = 48;
        const Vec3d a = axis_of(torus), u = perpendicular(a), v = cross(a, u);
        TriangleMesh mesh;
        std::vector<Vec3> normals;
        for (std::uint32_t i = 0; i < around * across; ++i) {
            const SineCosine ring = sine_cosine_of_turns(double(i / across) / around);
            const SineCosine tube = sine_cosine_of_turns(double(i % across) / across);
            const Vec3d out = u * ring.cosine + v * ring.sine;
            const Vec3d n = out * tube.cosine + a * tube.sine;
            mesh.positions.push_back(to_float(torus.center - center + out * double(torus.major_radius) +
                                              n * double(torus.minor_radius)));
            normals.push_back(to_float(n));
        }
        const auto add = [&](Triangle t) {
            mesh.triangles.push_back(t);
            mesh.normals.push_back({normals[t[0]], normals[t[1]], normals[t[2]]});
        };
        for (std::uint32_t i = 0; i < around * across; ++i) {
            const std::uint32_t row = i / across * across, next_row = (row + across) % (around * across);
            const std::uint32_t k = i % across, l = (k + 1) % across;
            add({row + k, next_row + k, next_row + l});
            add({row + k, next_row + l, row + l});
        }
        return mesh;
    }

    static std::optional<Error> check(const Torus& torus, const std::string& path) {
        const Vec3d a = to_double(torus.axis);
        if (auto error = check_not_zero(dot(a, a), path + "/axis")) return error;
        if (torus.minor_radius <= torus.major_radius) return {};
        return Error{path + "/minor_radius", "must not be above major_radius"};
    }

private:
    static Vec3d axis_of(const Torus& torus) { return unit(to_double(torus.axis)); }

    // Of the circle in the middle of the tube, along the axes of the world.
    static Vec3d reach(const Vec3d& a, double radius) {
        const auto along = [&](double c) { return radius * sqrt(max(1 - c * c, 0.0)); };
        return {along(a.x), along(a.y), along(a.z)};
    }

    // φ = |(ρ − R, s)| − R₂ − r, inverted R₂ − |(ρ − R, s)| − r, with y = x − c, s = a·y along the axis, ρ =
    // |y − s·a| from it: the distance from the circle in the middle of the tube. On the axis `side` is one of
    // the directions to the circle; on the circle itself the axis is one of the ways out.
    template <class T>
    [[gnu::always_inline]] static Contact<T> distance_at(const Local& torus, const Vector3<T>& x, T r) {
        const T zero(0.0f), one(1.0f);
        const Vector3<T> y = x - spread<T>(torus.center), axis = spread<T>(torus.axis);
        const T s = dot(axis, y);
        const Vector3<T> across = y - axis * s;
        const T rho = sqrt(dot(across, across));
        const auto on_axis = rho <= zero;
        const Vector3<T> radial =
            select(on_axis, spread<T>(torus.side), across * (one / select(on_axis, one, rho)));
        const T outward = rho - T(torus.major);
        const T length = sqrt(outward * outward + s * s);
        const auto on_circle = length <= zero;
        const T inverse = one / select(on_circle, one, length);
        const Vector3<T> n = select(on_circle, axis, radial * (outward * inverse) + axis * (s * inverse));
        if (torus.inverted) return {T(torus.minor) - length - r, -n};
        return {length - T(torus.minor) - r, n};
    }
};

}  // namespace pliant::collision
