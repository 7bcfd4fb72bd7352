#pragma once

#include <pliant/shapes.h>

#include "base/convert.h"
#include "collision/collider_kind.h"

namespace pliant {

template <>
struct FieldTable<Box> {
    static constexpr const char* name = "Box";
    static constexpr const char* summary = "A box that nothing enters.";
    static constexpr auto fields = std::tuple{
        Field{"center", &Box::center, "m", ranges::any, "Its centre."},
        Field{"half_extents", &Box::half_extents, "m", Range{0, 1e9, true},
              "Half its size along its own axes."},
        Field{"rotation", &Box::rotation, "", ranges::any, "Quaternion; any length but 0."},
    };
};

}  // namespace pliant

namespace pliant::collision {

struct LocalBox : ContactSurface {
    Vec3 center;        // m
    Vec3 axes[3];       // unit, in world directions
    Vec3 half_extents;  // m
};

struct BoxCollider {
    using Shape = Box;
    using Local = LocalBox;
    static constexpr const char* name = "box";
    static constexpr bool meets_faces(bool inverted) { return !inverted; }

    static Local localize(const Box& box, const Vec3d& origin) {
        const std::array<Vec3d, 3> axes = axes_of(unit(box.rotation));
        Local local;
        local.center = to_float(box.center - origin);
        local.half_extents = box.half_extents;
        for (std::size_t i = 0; i < 3; ++i) local.axes[i] = to_float(axes[i]);
        return local;
    }

    // In the box's axes, q = |y| − e: outside, φ = |max(q, 0)| − r; inside, the largest q counts. Swept: the
    // entry into the box grown by r (its corners stay sharp there), slab by slab.
    template <class T>
    [[gnu::always_inline]] static Contact<T> contact(const Local& box, const Vector3<T>& x,
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

    static Clearance clearance(const Local& box, const LocalBounds& bounds) {
        const Vec3d c = to_double(box.center), e = to_double(box.half_extents);
        const auto half_size = [&](float Vec3::*axis) {
            return abs(double(box.axes[0].*axis)) * e.x + abs(double(box.axes[1].*axis)) * e.y +
                   abs(double(box.axes[2].*axis)) * e.z;
        };
        const Vec3d half{half_size(&Vec3::x), half_size(&Vec3::y), half_size(&Vec3::z)};
        return {distance_between(bounds, c, half), min(e.x, min(e.y, e.z)), length(c) + length(e)};
    }

    // Along each axis of the world, the parts of all three half extents add up.
    static Bounds bounds(const Box& box) {
        const std::array<Vec3d, 3> axes = axes_of(unit(box.rotation));
        const Vec3d e = to_double(box.half_extents);
        const auto half_size = [&](double Vec3d::*c) {
            return abs(axes[0].*c) * e.x + abs(axes[1].*c) * e.y + abs(axes[2].*c) * e.z;
        };
        const Vec3d half{half_size(&Vec3d::x), half_size(&Vec3d::y), half_size(&Vec3d::z)};
        return {box.center - half, box.center + half};
    }

    static Vec3d point(const Box& box) { return box.center; }
    static Vec3d turn(const Box& from, const Box& to) {
        return small_rotation(unit(from.rotation), unit(to.rotation));
    }
    static Box mix(const Box& from, const Box& to, double share) {
        return {from.center + (to.center - from.center) * share,
                to_float(to_double(from.half_extents) * (1 - share) + to_double(to.half_extents) * share),
                pliant::mix(from.rotation, to.rotation, share)};
    }
    static Box moved(const Box& box, const Pose& pose) {
        return {box.center + pose.offset, box.half_extents, product(pose.rotation, box.rotation)};
    }

    static TriangleMesh surface(const Box& box, const Vec3d& center, double) {
        TriangleMesh mesh = *make_box_surface(box.half_extents * 2.0f, {1, 1, 1});
        const UnitQuaternion q = unit(box.rotation);
        for (Vec3& p : mesh.positions) p = to_float(box.center - center + rotate(q, to_double(p)));
        for (const Triangle& t : mesh.triangles) {
            const Vec3d a = to_double(mesh.positions[t[0]]);
            const Vec3 n = to_float(
                unit(cross(to_double(mesh.positions[t[1]]) - a, to_double(mesh.positions[t[2]]) - a)));
            mesh.normals.push_back({n, n, n});
        }
        return mesh;
    }

    static std::optional<Error> check(const Box& box, const std::string& path) {
        return check_not_zero(squared_length(box.rotation), path + "/rotation");
    }
};

}  // namespace pliant::collision
