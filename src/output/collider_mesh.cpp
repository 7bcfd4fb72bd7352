#include "output/collider_mesh.h"

#include "collision/all.h"

#include <array>
#include <cstdint>
#include <map>
#include <tuple>

namespace pliant::output {

ColliderMesh mesh_of(const ColliderShape& shape, Vec3d center, double extent) {
    const TriangleMesh surface = collision::visit_shape(
        shape, [&]<class Kind>(const typename Kind::Shape& s) { return Kind::surface(s, center, extent); });
    ColliderMesh mesh;
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

}  // namespace pliant::output
