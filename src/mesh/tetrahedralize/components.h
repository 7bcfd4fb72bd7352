// Which tetrahedra hang together, and leaving out what does not belong.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mesh/tetrahedralize/fill_result.h"
#include "mesh/tetrahedralize/solid.h"

namespace pliant::mesh {

struct TetrahedronComponents {
    std::vector<std::uint32_t> of_tetrahedron{};
    std::uint32_t count = 0;
};

// Tetrahedra with a common face belong together.
TetrahedronComponents find_components(const std::vector<Tetrahedron>& tetrahedra);

// Leaves out crumbs: components with less than a hundredth of the volume, if a larger one touches every part
// of the surface that they do. Then drops vertices that none uses. Says what a person should know. Returns
// the number of components that are left.
std::uint32_t tidy(FillResult& filled, const Solid& solid, std::vector<std::string>& warnings);

}  // namespace pliant::mesh
