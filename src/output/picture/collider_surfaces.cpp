#include "output/picture/collider_surfaces.h"

#include <cmath>
#include <map>
#include <tuple>
#include <variant>

#include "base/rotation.h"
#include "collision/all.h"

namespace pliant::output {
namespace {

using MaybeSurface = std::optional<ColliderSurface>;

// A point has several vertices where an edge is sharp.
RoundShape with_shared_vertices(const TriangleMesh& surface) {
    RoundShape mesh;
    std::map<std::tuple<std::uint32_t, float, float, float>, std::uint32_t> known;
    for (std::size_t i = 0; i < surface.triangles.size(); ++i) {
        Triangle corners{};
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t point = surface.triangles[i][k];
            const Vec3 n = surface.normals[i][k];
            const auto next = static_cast<std::uint32_t>(mesh.positions.size());
            const auto [entry, is_new] = known.emplace(std::tuple{point, n.x, n.y, n.z}, next);
            corners[k] = entry->second;
            if (!is_new) continue;
            mesh.positions.push_back(surface.positions[point]);
            mesh.normals.push_back(n);
        }
        mesh.triangles.push_back(corners);
    }
    return mesh;
}

// Any shape has a surface of its own. A plane is the ground, or a wall; balls and boxes look better finer.
template <class Shape>
MaybeSurface make_surface(const Shape& shape) {
    using Kind = collision::KindOf<Shape>;
    const Vec3d center = Kind::point(shape);
    return ColliderSurface{with_shared_vertices(Kind::surface(shape, center, 0)), center, {}, 1};
}
MaybeSurface make_surface(const Plane&) { return std::nullopt; }
MaybeSurface make_surface(const Sphere& sphere) {
    return ColliderSurface{make_ball(32), sphere.center, {}, sphere.radius};
}
MaybeSurface make_surface(const Box& box) {
    const Quaternion rotation = squared_length(box.rotation) > 0 ? box.rotation : Quaternion{};
    return ColliderSurface{make_block(box.half_extents), box.center, rotation, 1};
}

}  // namespace

std::optional<ColliderSurface> surface_of(const ColliderShape& shape) {
    return std::visit([](const auto& s) { return make_surface(s); }, shape);
}

const Plane* plane_of(const ColliderShape& shape) { return std::get_if<Plane>(&shape); }

Bounds bounds_of(const ColliderShape& shape) {
    const collision::Bounds box = collision::visit_shape(
        shape, []<class Kind>(const typename Kind::Shape& s) { return Kind::bounds(s); });
    const Vec3d extent = box.high - box.low;
    if (!std::isfinite(extent.x + extent.y + extent.z)) return {};
    return {box.low, box.high};
}

}  // namespace pliant::output
