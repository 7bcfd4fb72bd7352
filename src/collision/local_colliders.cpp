#include "collision/local_colliders.h"

#include <variant>

#include "base/convert.h"

namespace pliant {
namespace {

PlaneShape localize(const Plane& plane, const Vec3d& origin) {
    const Vec3d n = to_double(plane.normal);
    const Vec3d unit = n * (1 / sqrt(dot(n, n)));
    PlaneShape shape;
    shape.normal = to_float(unit);
    shape.offset = static_cast<float>(dot(unit, plane.point - origin));
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
    const double norm =
        sqrt(double(box.rotation.x) * box.rotation.x + double(box.rotation.y) * box.rotation.y +
             double(box.rotation.z) * box.rotation.z + double(box.rotation.w) * box.rotation.w);
    const double x = box.rotation.x / norm, y = box.rotation.y / norm;
    const double z = box.rotation.z / norm, w = box.rotation.w / norm;
    BoxShape shape;
    shape.center = to_float(box.center - origin);
    shape.half_extents = box.half_extents;
    shape.axes[0] = to_float({1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)});
    shape.axes[1] = to_float({2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)});
    shape.axes[2] = to_float({2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)});
    return shape;
}

}  // namespace

LocalColliders::LocalColliders(std::span<const Collider> colliders, const Vec3d& origin) {
    const auto add = [&](auto& list, const auto& source, const Collider& collider) {
        list.push_back(localize(source, origin));
        list.back().friction = collider.friction;
        list.back().restitution = collider.restitution;
    };
    for (const Collider& c : colliders) {
        if (const auto* plane = std::get_if<Plane>(&c.shape)) add(planes_, *plane, c);
        if (const auto* sphere = std::get_if<Sphere>(&c.shape)) add(spheres_, *sphere, c);
        if (const auto* box = std::get_if<Box>(&c.shape)) add(boxes_, *box, c);
    }
}

}  // namespace pliant
