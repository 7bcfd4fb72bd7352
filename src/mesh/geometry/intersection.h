// Triangles against each other, decided exactly.
#pragma once

#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <array>
#include <cstdint>
#include <span>

namespace pliant::mesh {

// Whether all three corners lie on one line.
bool has_no_area(const Vec3& a, const Vec3& b, const Vec3& c);

// Whether two triangles with an area have a point in common; touching counts, also in one plane.
bool triangles_meet(const std::array<Vec3d, 3>& a, const std::array<Vec3d, 3>& b);

// Pairs of triangles that meet although they have no corner at the same place. Counting stops at the limit.
// Every corner must be finite, and every triangle have an area.
std::uint64_t count_intersecting_pairs(std::span<const Vec3> positions, std::span<const Triangle> triangles,
                                       std::uint64_t limit);

}  // namespace pliant::mesh
