// What the report on a surface and its repair both look for.
#pragma once

#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <cstdint>
#include <span>
#include <vector>

#include "mesh/geometry/finite.h"

namespace pliant::mesh {

// All corners exist and are finite.
inline bool is_valid(std::span<const Vec3> positions, const Triangle& t) {
    for (const std::uint32_t corner : t) {
        if (corner >= positions.size() || !is_finite(positions[corner])) return false;
    }
    return true;
}

inline bool attributes_fit(const TriangleMesh& mesh) {
    const auto fits = [&](std::size_t count) { return count == 0 || count == mesh.triangles.size(); };
    return fits(mesh.normals.size()) && fits(mesh.texture_coordinates.size());
}

// For each triangle, whether an earlier one has the same corners.
std::vector<bool> duplicate_triangles(std::span<const Triangle> triangles);

}  // namespace pliant::mesh
