#pragma once

#include <pliant/shapes.h>

#include "base/convert.h"
#include "collision/collider_kind.h"

namespace pliant {

template <>
struct FieldTable<Capsule> {
    static constexpr const char* name = "Capsule";
    static constexpr const char* summary =
        "A segment with a radius, round at both ends, that nothing enters.";
    static constexpr auto fields = std::tuple{
        Field{"a", &Capsule::a, "m", ranges::any, "One end of the segment."},
        Field{"b", &Capsule::b, "m", ranges::any, "The other end; if it is the same, a ball."},
        Field{"radius", &Capsule::radius, "m", Range{0, 1e9, true}, "Around the segment."},
    };
};

}  // namespace pliant

namespace pliant::collision {

struct LocalCapsule : ContactSurface {
    Vec3 center;            // m, of the segment
    Vec3 axis;              // unit, along it
    Vec3 side;              // unit, at right angles to it
    float half_length = 0;  // m, of the segment
    float radius = 0;       // m
};

struct CapsuleCollider {
    using Shape = Capsule;
    using Local = LocalCapsule;
    static constexpr const char* name = "capsule";
    static constexpr bool meets_faces(bool inverted) { return !inverted; }

    static Local localize(const Capsule& capsule, const Vec3d& origin) {
        const Vec3d axis = axis_of(capsule);
        Local local;
        local.center = to_float(point(capsule) - origin);
        local.axis = to_float(axis);
        local.side = to_float(perpendicular(axis));
        local.half_length = static_cast<float>(length_of(capsule) / 2);
        local.radius = capsule.radius;
        return local;
    }

    // φ = |y − s·a| − R − r with y = x − c, axis a and s = a·y within ±L, half the length: the distance from
    // the nearest point of the segment. On the segment itself there is no nearest way out; `side` is one of
    // them.
    template <class T>
    [[gnu::always_inline]] static Contact<T> contact(const Local& capsule, const Vector3<T>& x,
                                                     const Vector3<T>& step, T r) {
        const Vector3<T> y = x - spread<T>(capsule.center);
        const T contact_distance = T(capsule.radius) + r;
        const Vector3<T> away = from_segment(capsule, y);
        const T length = sqrt(dot(away, away));
        const auto inside = length <= T(0.0f);
        const Contact<T> nearest{
            length - contact_distance,
            select(inside, spread<T>(capsule.side), away * (T(1.0f) / select(inside, T(1.0f), length)))};

        const auto is_long = dot(step, step) > T(0.25f) * contact_distance * contact_distance;
        if (!any(is_long)) return nearest;
        const Vector3<T> p = y - step;
        const T entry_time = time_of_entry(capsule, p, step, contact_distance);
        const auto hit = is_long & (entry_time >= T(-entry_tolerance)) & (entry_time <= T(1.0f));
        const Vector3<T> entry = p + step * max(entry_time, T(0.0f));
        const Vector3<T> out = from_segment(capsule, entry);
        const Vector3<T> n = out * (T(1.0f) / sqrt(dot(out, out)));
        return {select(hit, dot(y - entry, n), nearest.distance), select(hit, n, nearest.normal)};
    }

    static Clearance clearance(const Local& capsule, const LocalBounds& bounds) {
        const Vec3d c = to_double(capsule.center), axis = to_double(capsule.axis) * capsule.half_length;
        const double radius = capsule.radius;
        return {distance_between(bounds, c, {abs(axis.x), abs(axis.y), abs(axis.z)}) - radius, radius,
                length(c) + capsule.half_length + radius};
    }

    static Bounds bounds(const Capsule& capsule) {
        const auto& [a, b, radius] = capsule;
        const Vec3d r{radius, radius, radius};
        return {Vec3d{min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)} - r,
                Vec3d{max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)} + r};
    }

    // It has no roll: turning about its own axis changes nothing.
    static Vec3d point(const Capsule& capsule) { return (capsule.a + capsule.b) * 0.5; }
    static Vec3d turn(const Capsule& from, const Capsule& to) {
        if (length_of(from) == 0 || length_of(to) == 0) return {};
        return cross(axis_of(from), axis_of(to));
    }
    static Capsule mix(const Capsule& from, const Capsule& to, double share) {
        const auto even = [&](double a, double b) { return a * (1 - share) + b * share; };
        const Vec3d center = point(from) + (point(to) - point(from)) * share;
        const auto direction = [](const Capsule& c) { return length_of(c) > 0 ? axis_of(c) : Vec3d{}; };
        const Vec3d blended = direction(from) * (1 - share) + direction(to) * share;
        const bool none = dot(blended, blended) == 0;  // balls, or opposite: no way is shorter than another
        const Vec3d half = (none ? axis_of(to) : unit(blended)) * (even(length_of(from), length_of(to)) / 2);
        return {center - half, center + half, static_cast<float>(even(from.radius, to.radius))};
    }
    static Capsule moved(const Capsule& capsule, const Pose& pose) {
        const Vec3d center = point(capsule) + pose.offset;
        const Vec3d half = rotate(pose.rotation, (capsule.b - capsule.a) * 0.5);
        return {center - half, center + half, capsule.radius};
    }

    static TriangleMesh surface(const Capsule& capsule, const Vec3d& center, double) {
        const double length = length_of(capsule);
        constexpr int segments = 48;
        constexpr double most_rows = 256;
        const double rows = length / capsule.radius * segments / 6.283;
        TriangleMesh mesh = static_cast<float>(length) > 0
                                ? *make_capsule_surface(capsule.radius, static_cast<float>(length), segments,
                                                        static_cast<int>(max(min(rows, most_rows), 1.0)))
                                : *make_sphere_surface(capsule.radius, segments, segments / 2);
        const Vec3d axis = axis_of(capsule), side = perpendicular(axis), third = cross(side, axis);
        std::vector<Vec3> normals;
        for (Vec3& p : mesh.positions) {
            // Made along y.
            const Vec3d n = unit(Vec3d{p.x, p.y - max(min(double(p.y), length / 2), -length / 2), p.z});
            normals.push_back(to_float(side * n.x + axis * n.y + third * n.z));
            p = to_float(point(capsule) - center + side * p.x + axis * p.y + third * p.z);
        }
        for (const Triangle& t : mesh.triangles) {
            mesh.normals.push_back({normals[t[0]], normals[t[1]], normals[t[2]]});
        }
        mesh.texture_coordinates.clear();
        return mesh;
    }

    static std::optional<Error> check(const Capsule&, const std::string&) { return {}; }

private:
    static double length_of(const Capsule& capsule) { return length(capsule.b - capsule.a); }
    static Vec3d axis_of(const Capsule& capsule) {
        return length_of(capsule) > 0 ? unit(capsule.b - capsule.a) : Vec3d{0, 1, 0};
    }

    // To y from the nearest point of the segment.
    template <class T>
    [[gnu::always_inline]] static Vector3<T> from_segment(const Local& capsule, const Vector3<T>& y) {
        const Vector3<T> axis = spread<T>(capsule.axis);
        const T half(capsule.half_length);
        return y - axis * min(max(dot(axis, y), -half), half);
    }

    // When p + t·d comes within R of the segment: at the endless cylinder around it, or, where that is met
    // beyond an end, at the ball around this end. Beyond 1 where it never does. The roots of |q + t·d| = R
    // are −q·d/d² ∓ √((R² − l²)/d²) with l = q − d·(q·d/d²), nearest to the centre: no difference of large
    // squares.
    template <class T>
    [[gnu::always_inline]] static T time_of_entry(const Local& capsule, const Vector3<T>& p,
                                                  const Vector3<T>& d, T R) {
        const Vector3<T> axis = spread<T>(capsule.axis);
        const T zero(0.0f), half(capsule.half_length), along = dot(axis, d), start = dot(axis, p);
        const Vector3<T> across = d - axis * along;
        const T across_squared = dot(across, across), squared = dot(d, d);
        // Along the axis the cylinder is never entered; the end that is met is the one behind the motion.
        const auto parallel = across_squared <= squared * T(1e-12f);
        const T cylinder = first_root(p - axis * start, across, select(parallel, squared, across_squared), R);
        const T height = select(parallel, -along, start + along * cylinder);
        const T end = select(height < zero, -half, half);
        const T ball = first_root(p - axis * end, d, squared, R);
        const auto beyond = parallel | (abs(height) > half);
        return select(beyond, ball, cylinder);
    }

    template <class T>
    [[gnu::always_inline]] static T first_root(const Vector3<T>& q, const Vector3<T>& d, T dd, T R) {
        const T nearest = -dot(q, d) / dd;
        const Vector3<T> l = q + d * nearest;
        const T inside = R * R - dot(l, l);
        return select(inside > T(0.0f), nearest - sqrt(max(inside, T(0.0f)) / dd), T(2.0f));
    }
};

}  // namespace pliant::collision
