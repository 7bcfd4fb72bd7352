#pragma once

#include "collision/frustum.h"

namespace pliant {

template <>
struct FieldTable<Cone> {
    static constexpr const char* name = "Cone";
    static constexpr const char* summary = "A cone, or a part of one, that nothing enters.";
    static constexpr auto fields = std::tuple{
        Field{"a", &Cone::a, "m", ranges::any, "The centre of the base."},
        Field{"b", &Cone::b, "m", ranges::any, "The tip, or the centre of the other end."},
        Field{"radius", &Cone::radius, "m", Range{0, 1e9, true}, "Of the base."},
        Field{"tip_radius", &Cone::tip_radius, "m", Range{0, 1e9}, "Of the other end; 0: it is a tip."},
    };
};

}  // namespace pliant

namespace pliant::collision {

struct LocalCone : LocalFrustum {};

struct ConeCollider {
    using Shape = Cone;
    using Local = LocalCone;
    static constexpr const char* name = "cone";
    static constexpr bool meets_faces(bool inverted) { return !inverted; }

    // However short a step is, near the tip it may be longer than the cone is thick.
    static Local localize(const Cone& c, const Vec3d& origin) {
        return {frustum::localize(ends_of(c), origin, 0)};
    }

    // The formula stands in frustum.h.
    template <class T>
    [[gnu::always_inline]] static Contact<T> contact(const Local& cone, const Vector3<T>& x,
                                                     const Vector3<T>& step, T r) {
        return frustum::contact(cone, x, step, r);
    }

    static Clearance clearance(const Local& cone, const LocalBounds& bounds) {
        return frustum::clearance(cone, bounds);
    }
    static Bounds bounds(const Cone& c) { return frustum::bounds(ends_of(c)); }

    // It has no roll: turning about its own axis changes nothing.
    static Vec3d point(const Cone& c) { return frustum::middle(ends_of(c)); }
    static Vec3d turn(const Cone& from, const Cone& to) { return frustum::turn(ends_of(from), ends_of(to)); }
    static Cone mix(const Cone& from, const Cone& to, double share) {
        return made_of(frustum::mix(ends_of(from), ends_of(to), share));
    }
    static Cone moved(const Cone& c, const Pose& pose) { return made_of(frustum::moved(ends_of(c), pose)); }
    static TriangleMesh surface(const Cone& c, const Vec3d& center, double) {
        return frustum::surface(ends_of(c), center);
    }
    static std::optional<Error> check(const Cone& c, const std::string& path) {
        return frustum::check(ends_of(c), path);
    }

private:
    static frustum::Ends ends_of(const Cone& c) { return {c.a, c.b, c.radius, c.tip_radius}; }
    static Cone made_of(const frustum::Ends& e) {
        return {e.a, e.b, static_cast<float>(e.bottom), static_cast<float>(e.top)};
    }
};

}  // namespace pliant::collision
