#include "output/picture/collider_surfaces.h"

#include <cmath>
#include <variant>

#include "base/convert.h"
#include "base/rotation.h"

namespace pliant::output {
namespace {

using MaybeSurface = std::optional<ColliderSurface>;

MaybeSurface make_surface(const Plane&) { return std::nullopt; }

MaybeSurface make_surface(const Sphere& sphere) {
    return ColliderSurface{make_ball(32), sphere.center, {}, sphere.radius};
}

MaybeSurface make_surface(const Box& box) {
    const Quaternion rotation = squared_length(box.rotation) > 0 ? box.rotation : Quaternion{};
    return ColliderSurface{make_block(box.half_extents), box.center, rotation, 1};
}

Bounds around(Vec3d center, double reach) {
    const Vec3d r{reach, reach, reach};
    return {center - r, center + r};
}

Bounds make_bounds(const Plane&) { return {}; }
Bounds make_bounds(const Sphere& sphere) { return around(sphere.center, sphere.radius); }
Bounds make_bounds(const Box& box) {
    const Vec3d half = to_double(box.half_extents);
    return around(box.center, std::sqrt(dot(half, half)));
}

}  // namespace

std::optional<ColliderSurface> surface_of(const ColliderShape& shape) {
    return std::visit([](const auto& s) { return make_surface(s); }, shape);
}

const Plane* plane_of(const ColliderShape& shape) { return std::get_if<Plane>(&shape); }

Bounds bounds_of(const ColliderShape& shape) {
    return std::visit([](const auto& s) { return make_bounds(s); }, shape);
}

}  // namespace pliant::output
