#include "output/picture/collider_surfaces.h"

#include <pliant/collider_mesh.h>

#include <cmath>
#include <map>
#include <tuple>
#include <utility>
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

// Every corner by itself: as many vertices in every pose.
RoundShape with_own_vertices(const TriangleMesh& surface) {
    RoundShape mesh;
    for (std::size_t i = 0; i < surface.triangles.size(); ++i) {
        const auto base = static_cast<std::uint32_t>(mesh.positions.size());
        for (std::size_t k = 0; k < 3; ++k) {
            mesh.positions.push_back(surface.positions[surface.triangles[i][k]]);
            mesh.normals.push_back(surface.normals[i][k]);
        }
        mesh.triangles.push_back({base, base + 1, base + 2});
    }
    return mesh;
}

bool has_poses(const SolidMesh& mesh) { return mesh.surface && poses_of(*mesh.surface) > 1; }
bool has_poses(const HeightField&) { return false; }

// Any shape has a surface of its own. A plane is the ground, or a wall; balls and boxes look better finer.
template <class Shape>
MaybeSurface make_surface(const Shape& shape) {
    using Kind = collision::KindOf<Shape>;
    const Vec3d center = Kind::point(shape);
    return ColliderSurface{with_shared_vertices(Kind::surface(shape, center, 0)), center, {}, 1};
}
// Meshes stay what they are while they move and turn.
template <class Shape>
MaybeSurface make_mesh(Shape shape) {
    const Quaternion rotation = squared_length(shape.rotation) > 0 ? shape.rotation : Quaternion{};
    const Vec3d center = shape.position;
    shape.rotation = {};
    const TriangleMesh surface = collision::KindOf<Shape>::surface(shape, center, 0);
    return ColliderSurface{has_poses(shape) ? with_own_vertices(surface) : with_shared_vertices(surface),
                           center, rotation, 1};
}
MaybeSurface make_surface(const SolidMesh& mesh) { return make_mesh(mesh); }
MaybeSurface make_surface(const HeightField& field) { return make_mesh(field); }
MaybeSurface make_surface(const Plane&) { return std::nullopt; }
MaybeSurface make_surface(const Sphere& sphere) {
    return ColliderSurface{make_ball(32), sphere.center, {}, sphere.radius};
}
MaybeSurface make_surface(const Box& box) {
    const Quaternion rotation = squared_length(box.rotation) > 0 ? box.rotation : Quaternion{};
    return ColliderSurface{make_block(box.half_extents), box.center, rotation, 1};
}

}  // namespace

std::optional<ColliderSurface> surface_of(const Collider& collider) {
    MaybeSurface made = std::visit([](const auto& s) { return make_surface(s); }, collider.shape);
    if (!made || !collider.inverted) return made;
    made->inverted = true;
    for (Triangle& t : made->mesh.triangles) std::swap(t[1], t[2]);
    for (Vec3& n : made->mesh.normals) n = -n;
    return made;
}

bool deforms(const Collider& collider) {
    const auto* mesh = std::get_if<SolidMesh>(&collider.shape);
    return mesh && has_poses(*mesh);
}

std::optional<Plane> plane_of(const Collider& collider) {
    const auto* plane = std::get_if<Plane>(&collider.shape);
    if (!plane) return std::nullopt;
    return Plane{plane->point, collider.inverted ? -plane->normal : plane->normal};
}

Bounds bounds_of(const ColliderShape& shape) {
    const Bounds box = collision::visit_shape(
        shape, []<class Kind>(const typename Kind::Shape& s) { return Kind::bounds(s); });
    const Vec3d extent = box.high - box.low;
    if (!std::isfinite(extent.x + extent.y + extent.z)) return {};
    return box;
}

}  // namespace pliant::output
