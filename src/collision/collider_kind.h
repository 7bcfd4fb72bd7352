// What a collider shape is: one struct with all that the engine asks of it.
//
//   struct SomeCollider {
//       using Shape = …;   // the plain struct of description.h, which has a field table
//       using Local = …;   // the same in the frame of an island, for lanes: a ContactSurface and numbers
//       static constexpr const char* name;   // its key in scene files
//       static constexpr bool meets_faces(bool inverted);   // whether a face can touch where no corner does
//       static Local localize(const Shape&, const Vec3d& origin);   // origin: of the island
//       template <class T> static Contact<T> contact(const Local&, x, step, r);
//       static Clearance clearance(const Local&, const LocalBounds&);   // of all points in the bounds
//       static Bounds bounds(const Shape&);   // infinite where it is endless
//       static Vec3d point(const Shape&);     // about which it turns
//       static Vec3d turn(const Shape& from, const Shape& to);   // a small rotation, as a vector
//       static Shape mix(const Shape& from, const Shape& to, double share);
//       static Shape moved(const Shape&, const Pose&);
//       static TriangleMesh surface(const Shape&, const Vec3d& center, double extent);
//       static std::optional<Error> check(const Shape&, const std::string& path);
//   };
//
// contact(local, x, step, r), generic in the number type, answers for a particle of radius r that moved by
// `step` to x: the signed distance to the shape and the outward normal there. Where the step is long against
// the shape, the whole segment x − step → x is tested, and the answer is the tangent plane at the entry
// point: nothing tunnels. A particle that was deep inside already leaves by the nearest way; one that
// rounding left just inside the surface counts as outside.
//
// A collider may be inverted: solid outside, free inside. contact_with asks for that, and turns the answer of
// a shape round; one that asks for `inverts_itself` looks at local.inverted by itself.
//
// What only some shapes have: has_inside(shape) says whether it can be inverted; a shape whose points move
// against each other answers contact with the motion there beside (MovingContact), says its pose by
// pose_of(shape), and by deformation(from, to) how far a point of it may move (m).
//
// surface is what to draw: positions are relative to `center`, normals stand at the corners, and what is
// endless is cut off at `extent` from the centre. check says what the field table cannot.
#pragma once

#include <pliant/bounds.h>
#include <pliant/description.h>
#include <pliant/error.h>
#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>

#include "base/fields.h"
#include "base/rotation.h"
#include "base/scalar.h"

namespace pliant::collision {

// How far behind its start, as a share of the step, the entry into a shape may lie.
inline constexpr float entry_tolerance = 0.01f;

// While a substep lasts, the point x of the surface moves by shift + spin×(x − pivot).
struct ContactSurface {
    float friction = 0;
    float restitution = 0;
    std::uint32_t number = 0;  // of the collider, as the scene counts
    bool moves = false;
    bool inverted = false;  // the inside of the shape is free, all else is solid
    bool drags = false;
    Vec3 belt{};            // m/s, of the surface along itself
    Vec3 shift{}, pivot{};  // m
    Vec3 spin{};            // rad
};

template <class T>
struct Contact {
    T distance;
    Vector3<T> normal;
};

// Contact, and how the surface moved there, beyond its rigid motion.
template <class T>
struct MovingContact : Contact<T> {
    Vector3<T> motion;
};

// Of a shape as it is, or of one that is solid outside: −φ(x) − r = −(φ(x) − (−r)), and the other normal.
// What leaves a convex shape through its wall is brought back by the nearest way: there is no far side to
// come out at.
template <class Kind, class T>
[[gnu::always_inline]] inline auto contact_with(const typename Kind::Local& local, const Vector3<T>& x,
                                                const Vector3<T>& step, T r) {
    if constexpr (requires { Kind::inverts_itself; }) {
        return Kind::template contact<T>(local, x, step, r);
    } else {
        const T side(local.inverted ? -1.0f : 1.0f), swept(local.inverted ? 0.0f : 1.0f);
        const Contact<T> c = Kind::template contact<T>(local, x, step * swept, r * side);
        return Contact<T>{c.distance * side, c.normal * side};
    }
}

template <class T>
[[gnu::always_inline]] inline Vector3<T> spread(const Vec3& a) {
    return {T(a.x), T(a.y), T(a.z)};
}

template <class T>
[[gnu::always_inline]] inline Vector3<T> motion_at(const ContactSurface& surface, const Vector3<T>& x) {
    return spread<T>(surface.shift) + cross(spread<T>(surface.spin), x - spread<T>(surface.pivot));
}

using Bounds = Bounds3d;  // m

// Where particles are, in the frame of their island: center ± half along each axis.
struct LocalBounds {
    Vec3d center{}, half{};  // m
};

// How near points of some bounds can be to a shape.
struct Clearance {
    double distance = 0;  // m: none is nearer to the surface; 0 or less where one may touch
    double depth = 0;     // m: none has a longer way out
    double scale = 0;     // m: of the numbers that a float calculates it with
};

// From bounds to a box about c, at least.
inline double distance_between(const LocalBounds& bounds, const Vec3d& c, const Vec3d& half) {
    const auto gap = [&](double Vec3d::*axis) {
        return max(abs(bounds.center.*axis - c.*axis) - bounds.half.*axis - half.*axis, 0.0);
    };
    const Vec3d between{gap(&Vec3d::x), gap(&Vec3d::y), gap(&Vec3d::z)};
    return sqrt(dot(between, between));
}

inline Vec3d unit(const Vec3d& a) { return a * (1 / sqrt(dot(a, a))); }

// Of unit length, at right angles to a unit vector; upward where that can be.
inline Vec3d perpendicular(const Vec3d& n) {
    const Vec3d up = abs(n.y) < 0.9 ? Vec3d{0, 1, 0} : Vec3d{1, 0, 0};
    return unit(up - n * dot(n, up));
}

inline std::optional<Error> check_not_zero(double squared_length, const std::string& path) {
    if (squared_length > 0) return {};
    return Error{path, "must not have length 0"};
}

template <class K>
concept ColliderKind = std::derived_from<typename K::Local, ContactSurface> && HasTable<typename K::Shape> &&
    requires(const typename K::Shape& shape, const typename K::Local& local, const Vec3d& x, double number,
             const Pose& pose, const std::string& path, const LocalBounds& bounds) {
    { K::name } -> std::convertible_to<const char*>;
    { K::meets_faces(true) } -> std::same_as<bool>;
    { K::localize(shape, x) } -> std::same_as<typename K::Local>;
    { K::template contact<double>(local, x, x, number) } -> std::convertible_to<Contact<double>>;
    { K::clearance(local, bounds) } -> std::same_as<Clearance>;
    { K::bounds(shape) } -> std::same_as<Bounds>;
    { K::point(shape) } -> std::convertible_to<Vec3d>;
    { K::turn(shape, shape) } -> std::same_as<Vec3d>;
    { K::mix(shape, shape, number) } -> std::same_as<typename K::Shape>;
    { K::moved(shape, pose) } -> std::same_as<typename K::Shape>;
    { K::surface(shape, x, number) } -> std::same_as<TriangleMesh>;
    { K::check(shape, path) } -> std::same_as<std::optional<Error>>;
};

}  // namespace pliant::collision
