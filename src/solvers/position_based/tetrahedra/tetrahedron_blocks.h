// The tetrahedra of all bodies as lanes read them: what counts those that are inside out.
#pragma once

#include <cstdint>
#include <vector>

#include "model/model.h"

namespace pliant::solvers::position_based {

// Tetrahedra of one body. A chunk begins with a block.
struct TetrahedronChunk {
    std::uint32_t first = 0, count = 0;
    std::uint32_t body = 0;
};

struct TetrahedronBlocks {
    std::vector<std::uint32_t> offsets;  // [block][4][16], byte offsets of particles; a body's last is padded
    std::vector<TetrahedronChunk> chunks;
};

TetrahedronBlocks make_tetrahedron_blocks(const model::Model& model,
                                          const std::vector<std::uint32_t>& slot_of);

}  // namespace pliant::solvers::position_based
