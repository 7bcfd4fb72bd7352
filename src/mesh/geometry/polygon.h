// Polygons into triangles.
#pragma once

#include <pliant/mesh.h>

#include <cstddef>
#include <span>
#include <vector>

namespace pliant::mesh {

// A concave polygon costs the square of its corners, so there is a limit.
inline constexpr std::size_t most_corners_of_concave_polygon = 4096;

// Appends corners.size() − 2 triangles of numbers of corners, turning as the polygon does. False, with
// nothing appended, beyond the limit above.
bool triangulate_polygon(std::span<const Vec3> corners, std::vector<Triangle>& triangles);

}  // namespace pliant::mesh
