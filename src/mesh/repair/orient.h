// Which triangles to turn so that a surface faces one way.
#pragma once

#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <cstdint>
#include <span>
#include <vector>

namespace pliant::mesh {

struct Orientation {
    std::vector<bool> turn{};                // for each triangle
    std::uint64_t one_sided_components = 0;  // nothing can be done
};

// The rules stand at repair() in mesh_report.h. Triangles must be valid, with three different corners.
Orientation find_orientation(std::span<const Vec3> positions, std::span<const Triangle> triangles);

}  // namespace pliant::mesh
