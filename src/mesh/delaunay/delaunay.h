// The Delaunay tetrahedra of a set of points.
#pragma once

#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <cstddef>
#include <span>
#include <vector>

namespace pliant::mesh {

// Numbers of cells and faces must fit into 32 bits.
inline constexpr std::size_t most_delaunay_points = std::size_t{1} << 27;

// As pliant::delaunay, for points that are finite and not too many.
std::vector<Tetrahedron> delaunay_tetrahedra(std::span<const Vec3d> points);

}  // namespace pliant::mesh
