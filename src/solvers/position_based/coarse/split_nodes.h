// Nodes at the corners of a grid of boxes, as many on each spot as there are parts that are not connected
// there.
#pragma once

#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace pliant::solvers::position_based {

struct GridPlace {
    std::array<std::uint32_t, 3> box{};
    Vec3d coordinates;  // in the box, 0 … 1
};

struct SplitNodes {
    using OfBox = std::array<std::uint32_t, 8>;  // at its corners; corner c is at (c & 1, c >> 1 & 1, c >> 2)
    std::uint32_t count = 0;
    std::vector<OfBox> of_particles, of_elements;  // of the box that each is in
};

// Around a corner, in the up to eight boxes that meet there, tetrahedra are connected if they share a
// particle.
SplitNodes split_nodes(const std::array<std::uint32_t, 3>& grid, std::span<const GridPlace> particles,
                       std::span<const GridPlace> elements, std::span<const Tetrahedron> tetrahedra);

}  // namespace pliant::solvers::position_based
