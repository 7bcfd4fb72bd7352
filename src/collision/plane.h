#pragma once

#include <limits>

#include "base/convert.h"
#include "collision/collider_kind.h"

namespace pliant {

template <>
struct FieldTable<Plane> {
    static constexpr const char* name = "Plane";
    static constexpr const char* summary = "A half-space that nothing enters.";
    static constexpr auto fields = std::tuple{
        Field{"point", &Plane::point, "m", ranges::any, "Any point on it."},
        Field{"normal", &Plane::normal, "", ranges::any, "Towards the free side; any length but 0."},
    };
};

}  // namespace pliant

namespace pliant::collision {

struct LocalPlane : ContactSurface {
    Vec3 normal;       // unit
    float offset = 0;  // m: normal·x = offset on the plane
};

struct PlaneCollider {
    using Shape = Plane;
    using Local = LocalPlane;
    static constexpr const char* name = "plane";
    static constexpr bool meets_faces(bool) { return false; }

    static Local localize(const Plane& plane, const Vec3d& origin) {
        const Vec3d normal = unit(to_double(plane.normal));
        Local local;
        local.normal = to_float(normal);
        local.offset = static_cast<float>(dot(normal, plane.point - origin));
        return local;
    }

    // φ = n·x − offset − r
    template <class T>
    [[gnu::always_inline]] static Contact<T> contact(const Local& plane, const Vector3<T>& x,
                                                     const Vector3<T>&, T r) {
        const Vector3<T> n = spread<T>(plane.normal);
        return {dot(n, x) - T(plane.offset) - r, n};
    }

    static Clearance clearance(const Local& plane, const LocalBounds& bounds) {
        const Vec3d n = to_double(plane.normal);
        const double middle = dot(n, bounds.center) - plane.offset;
        const double reach = abs(n.x) * bounds.half.x + abs(n.y) * bounds.half.y + abs(n.z) * bounds.half.z;
        return {middle - reach, max(reach - middle, 0.0), abs(double(plane.offset))};
    }

    static Bounds bounds(const Plane&) {
        constexpr double far = std::numeric_limits<double>::infinity();
        return {{-far, -far, -far}, {far, far, far}};
    }

    static Vec3d point(const Plane& plane) { return plane.point; }
    static Vec3d turn(const Plane& from, const Plane& to) {
        return cross(unit(to_double(from.normal)), unit(to_double(to.normal)));
    }
    static Plane mix(const Plane& from, const Plane& to, double share) {
        const Vec3d normal = unit(to_double(from.normal)) * (1 - share) + unit(to_double(to.normal)) * share;
        const bool opposite = dot(normal, normal) == 0;  // no way is shorter than another
        return {from.point + (to.point - from.point) * share, opposite ? to.normal : to_float(normal)};
    }
    static Plane moved(const Plane& plane, const Pose& pose) {
        return {plane.point + pose.offset, to_float(rotate(pose.rotation, to_double(plane.normal)))};
    }

    // A square about the point that is nearest to the centre.
    static TriangleMesh surface(const Plane& plane, const Vec3d& center, double extent) {
        const Vec3d n = unit(to_double(plane.normal)), u = perpendicular(n), v = cross(n, u);
        const Vec3d foot = n * dot(n, plane.point - center);
        TriangleMesh mesh;
        for (const auto& [s, t] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}) {
            mesh.positions.push_back(to_float(foot + u * (s * extent) + v * (t * extent)));
        }
        mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
        mesh.normals.assign(2, {to_float(n), to_float(n), to_float(n)});
        return mesh;
    }

    static std::optional<Error> check(const Plane& plane, const std::string& path) {
        const Vec3d n = to_double(plane.normal);
        return check_not_zero(dot(n, n), path + "/normal");
    }
};

}  // namespace pliant::collision
