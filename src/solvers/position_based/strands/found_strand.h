// A strand as it is found in a model, before strands are packed into groups (strand_set.h).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "solvers/position_based/strands/strand_set.h"

namespace pliant::solvers::position_based {

struct FoundStrand {
    std::vector<std::uint32_t> particles, links;  // one link less
    std::uint32_t part = 0, rod = no_link;
    std::vector<std::array<std::uint32_t, 3>> ties;  // own particle or ring, other, part
    std::uint32_t colour = 0;
    std::uint32_t net = no_link;  // strands of a net have the same
    std::vector<StrandRing> rings;
    bool is_bundled = false;
    StrandSort sort = StrandSort::chain;
};

// In the order in which they are packed: bundles, then colour after colour.
struct FoundStrands {
    std::vector<FoundStrand> strands;
    std::vector<std::uint8_t> is_direct;  // StrandSet::is_direct
};
FoundStrands find_all_strands(const model::Model& model);

}  // namespace pliant::solvers::position_based
