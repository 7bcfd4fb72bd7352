#include "collision/local_colliders.h"

#include <variant>

#include "base/convert.h"
#include "base/rotation.h"

namespace pliant {
namespace {

struct Rotation {
    Vec3d vector;
    double w;
};

Vec3d unit(const Vec3& a) {
    const Vec3d n = to_double(a);
    return n * (1 / sqrt(dot(n, n)));
}

Rotation unit(const Quaternion& q) {
    const Vec3d v{q.x, q.y, q.z};
    const double norm = sqrt(dot(v, v) + double(q.w) * q.w);
    return {{v.x / norm, v.y / norm, v.z / norm}, q.w / norm};
}

PlaneShape localize(const Plane& plane, const Vec3d& origin) {
    const Vec3d normal = unit(plane.normal);
    PlaneShape shape;
    shape.normal = to_float(normal);
    shape.offset = static_cast<float>(dot(normal, plane.point - origin));
    return shape;
}

SphereShape localize(const Sphere& sphere, const Vec3d& origin) {
    SphereShape shape;
    shape.center = to_float(sphere.center - origin);
    shape.radius = sphere.radius;
    return shape;
}

// The columns of the rotation matrix of q.
BoxShape localize(const Box& box, const Vec3d& origin) {
    const auto [v, w] = unit(box.rotation);
    const auto [x, y, z] = v;
    BoxShape shape;
    shape.center = to_float(box.center - origin);
    shape.half_extents = box.half_extents;
    shape.axes[0] = to_float({1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)});
    shape.axes[1] = to_float({2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)});
    shape.axes[2] = to_float({2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)});
    return shape;
}

Vec3d point_of(const Plane& plane) { return plane.point; }
Vec3d point_of(const Sphere& sphere) { return sphere.center; }
Vec3d point_of(const Box& box) { return box.center; }

// The small rotation from one to the other, as a vector. |a×b| and 2·|vector part| are the sine and twice the
// sine of half the angle: right to second order, and a substep is short.
Vec3d turn_between(const Plane& a, const Plane& b) { return cross(unit(a.normal), unit(b.normal)); }
Vec3d turn_between(const Sphere&, const Sphere&) { return {}; }
Vec3d turn_between(const Box& a, const Box& b) {
    const Rotation p = unit(a.rotation), q = unit(b.rotation);
    // q·p⁻¹
    const Vec3d vector = q.vector * p.w - p.vector * q.w - cross(q.vector, p.vector);
    return vector * (dot(p.vector, q.vector) + p.w * q.w < 0 ? -2.0 : 2.0);
}

Plane mix(const Plane& a, const Plane& b, double t) {
    const Vec3d normal = unit(a.normal) * (1 - t) + unit(b.normal) * t;
    const bool opposite = dot(normal, normal) == 0;  // no way is shorter than another
    return {a.point + (b.point - a.point) * t, opposite ? b.normal : to_float(normal)};
}

Sphere mix(const Sphere& a, const Sphere& b, double t) {
    return {a.center + (b.center - a.center) * t, static_cast<float>(a.radius * (1 - t) + b.radius * t)};
}

Box mix(const Box& a, const Box& b, double t) {
    return {a.center + (b.center - a.center) * t,
            to_float(to_double(a.half_extents) * (1 - t) + to_double(b.half_extents) * t),
            mix(a.rotation, b.rotation, t)};
}

template <class Shape>
void push_out(const Shape* shapes, std::size_t count, double radius, Vec3d& x) {
    for (std::size_t i = 0; i < count; ++i) {
        const Contact<double> met = contact<double>(shapes[i], x, Vec3d{}, radius);
        if (met.distance < 0) x = x - met.normal * met.distance;
    }
}

}  // namespace

ColliderShape between(const ColliderShape& from, const ColliderShape& to, double share) {
    if (share <= 0) return from;
    if (share >= 1) return to;
    return std::visit(
        [&]<class Shape>(const Shape& a) -> ColliderShape { return mix(a, std::get<Shape>(to), share); },
        from);
}

void LocalColliders::place(std::span<const Collider> start, std::span<const Collider> end,
                           const Vec3d& origin) {
    planes_.clear();
    spheres_.clear();
    boxes_.clear();
    const auto add = [&]<class Shape, class Local>(std::vector<Local>& list, const Shape& shape,
                                                   std::size_t i) {
        const Shape& before = std::get<Shape>(start[i].shape);
        Local local = localize(shape, origin);
        local.friction = end[i].friction;
        local.restitution = end[i].restitution;
        const Vec3d shift = point_of(shape) - point_of(before), spin = turn_between(before, shape);
        local.shift = to_float(shift);
        local.spin = to_float(spin);
        local.pivot = to_float(point_of(shape) - origin);
        local.moves = dot(shift, shift) > 0 || dot(spin, spin) > 0;
        list.push_back(local);
    };
    for (std::size_t i = 0; i < end.size(); ++i) {
        if (const auto* plane = std::get_if<Plane>(&end[i].shape)) add(planes_, *plane, i);
        if (const auto* sphere = std::get_if<Sphere>(&end[i].shape)) add(spheres_, *sphere, i);
        if (const auto* box = std::get_if<Box>(&end[i].shape)) add(boxes_, *box, i);
    }
}

Vec3d pushed_out(const ColliderSet& colliders, Vec3d x, double radius) {
    push_out(colliders.planes, colliders.plane_count, radius, x);
    push_out(colliders.spheres, colliders.sphere_count, radius, x);
    push_out(colliders.boxes, colliders.box_count, radius, x);
    return x;
}

}  // namespace pliant
