#pragma once

#include "collision/frustum.h"

namespace pliant {

template <>
struct FieldTable<Cylinder> {
    static constexpr const char* name = "Cylinder";
    static constexpr const char* summary = "A round bar with flat ends that nothing enters.";
    static constexpr auto fields = std::tuple{
        Field{"a", &Cylinder::a, "m", ranges::any, "The centre of one end."},
        Field{"b", &Cylinder::b, "m", ranges::any, "The centre of the other end."},
        Field{"radius", &Cylinder::radius, "m", Range{0, 1e9, true}, "Of both ends."},
    };
};

}  // namespace pliant

namespace pliant::collision {

struct LocalCylinder : LocalFrustum {};

struct CylinderCollider {
    using Shape = Cylinder;
    using Local = LocalCylinder;
    static constexpr const char* name = "cylinder";
    static constexpr bool meets_faces(bool inverted) { return !inverted; }

    static Local localize(const Cylinder& c, const Vec3d& origin) {
        const double thin = min(double(c.radius), length(c.b - c.a) / 2) / 2;
        return {frustum::localize(ends_of(c), origin, thin)};
    }

    // The formula stands in frustum.h.
    template <class T>
    [[gnu::always_inline]] static Contact<T> contact(const Local& cylinder, const Vector3<T>& x,
                                                     const Vector3<T>& step, T r) {
        return frustum::contact(cylinder, x, step, r);
    }

    static Clearance clearance(const Local& cylinder, const LocalBounds& bounds) {
        return frustum::clearance(cylinder, bounds);
    }
    static Bounds bounds(const Cylinder& c) { return frustum::bounds(ends_of(c)); }

    // It has no roll: turning about its own axis changes nothing.
    static Vec3d point(const Cylinder& c) { return frustum::middle(ends_of(c)); }
    static Vec3d turn(const Cylinder& from, const Cylinder& to) {
        return frustum::turn(ends_of(from), ends_of(to));
    }
    static Cylinder mix(const Cylinder& from, const Cylinder& to, double share) {
        return made_of(frustum::mix(ends_of(from), ends_of(to), share));
    }
    static Cylinder moved(const Cylinder& c, const Pose& pose) {
        return made_of(frustum::moved(ends_of(c), pose));
    }
    static TriangleMesh surface(const Cylinder& c, const Vec3d& center, double) {
        return frustum::surface(ends_of(c), center);
    }
    static std::optional<Error> check(const Cylinder& c, const std::string& path) {
        return frustum::check(ends_of(c), path);
    }

private:
    static frustum::Ends ends_of(const Cylinder& c) { return {c.a, c.b, c.radius, c.radius}; }
    static Cylinder made_of(const frustum::Ends& e) { return {e.a, e.b, static_cast<float>(e.bottom)}; }
};

}  // namespace pliant::collision
