#pragma once

#include <pliant/shapes.h>

#include "base/convert.h"
#include "collision/collider_kind.h"

namespace pliant {

template <>
struct FieldTable<Sphere> {
    static constexpr const char* name = "Sphere";
    static constexpr const char* summary = "A ball that nothing enters.";
    static constexpr auto fields = std::tuple{
        Field{"center", &Sphere::center, "m", ranges::any, "Its centre."},
        Field{"radius", &Sphere::radius, "m", Range{0, 1e9, true}, "Its radius."},
    };
};

}  // namespace pliant

namespace pliant::collision {

struct LocalSphere : ContactSurface {
    Vec3 center;       // m
    float radius = 0;  // m
};

struct SphereCollider {
    using Shape = Sphere;
    using Local = LocalSphere;
    static constexpr const char* name = "sphere";
    static constexpr bool meets_faces(bool inverted) { return !inverted; }

    static Local localize(const Sphere& sphere, const Vec3d& origin) {
        Local local;
        local.center = to_float(sphere.center - origin);
        local.radius = sphere.radius;
        return local;
    }

    // φ = |x − c| − R − r. Swept: |p + t·d| = R + r at the smaller root t in [0, 1], p = x − c − d outside.
    template <class T>
    [[gnu::always_inline]] static Contact<T> contact(const Local& sphere, const Vector3<T>& x,
                                                     const Vector3<T>& step, T r) {
        const Vector3<T> y = x - spread<T>(sphere.center);
        const T contact_distance = T(sphere.radius) + r;
        const T length = sqrt(dot(y, y));
        const auto at_center = length <= T(0.0f);
        Contact<T> nearest{length - contact_distance, y * (T(1.0f) / select(at_center, T(1.0f), length))};
        nearest.normal.y = select(at_center, T(1.0f), nearest.normal.y);

        const T a = dot(step, step);
        const auto is_long = a > T(0.25f) * contact_distance * contact_distance;
        if (!any(is_long)) return nearest;
        const Vector3<T> p = y - step;
        const T b = dot(p, step);
        const T c = dot(p, p) - contact_distance * contact_distance;
        const T discriminant = b * b - a * c;
        const T entry_time = (-b - sqrt(max(discriminant, T(0.0f)))) / a;
        const auto hit = is_long & (discriminant > T(0.0f)) & (entry_time >= T(-entry_tolerance)) &
                         (entry_time <= T(1.0f));
        const Vector3<T> entry = p + step * max(entry_time, T(0.0f));
        const Vector3<T> n = entry * (T(1.0f) / sqrt(dot(entry, entry)));
        return {select(hit, dot(y - entry, n), nearest.distance), select(hit, n, nearest.normal)};
    }

    static Clearance clearance(const Local& sphere, const LocalBounds& bounds) {
        const Vec3d c = to_double(sphere.center);
        const double radius = sphere.radius;
        return {distance_between(bounds, c, {}) - radius, radius, length(c) + radius};
    }

    static Bounds bounds(const Sphere& sphere) {
        const double r = sphere.radius;
        return {sphere.center - Vec3d{r, r, r}, sphere.center + Vec3d{r, r, r}};
    }

    static Vec3d point(const Sphere& sphere) { return sphere.center; }
    static Vec3d turn(const Sphere&, const Sphere&) { return {}; }
    static Sphere mix(const Sphere& from, const Sphere& to, double share) {
        return {from.center + (to.center - from.center) * share,
                static_cast<float>(from.radius * (1 - share) + to.radius * share)};
    }
    static Sphere moved(const Sphere& sphere, const Pose& pose) {
        return {sphere.center + pose.offset, sphere.radius};
    }

    static TriangleMesh surface(const Sphere& sphere, const Vec3d& center, double) {
        TriangleMesh mesh = *make_icosphere(1, 16);
        for (const Triangle& t : mesh.triangles) {
            mesh.normals.push_back({mesh.positions[t[0]], mesh.positions[t[1]], mesh.positions[t[2]]});
        }
        for (Vec3& p : mesh.positions) p = to_float(sphere.center - center) + p * sphere.radius;
        return mesh;
    }

    static std::optional<Error> check(const Sphere&, const std::string&) { return {}; }
};

}  // namespace pliant::collision
