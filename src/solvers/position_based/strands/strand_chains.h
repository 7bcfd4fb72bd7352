// The strands of a set one by one, however they are packed into groups: for what looks at single ones.
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/position_based/strands/strand_set.h"

namespace pliant::solvers::position_based {

struct StrandChain {
    std::uint32_t first = 0,
                  nodes = 0;            // in StrandSet::offsets, a node every 16; links and joints lie beside
    std::uint32_t first_tension = 0;    // of its links, in StrandChains::tensions
    std::uint32_t softness = 0;         // where its α̃, α̃ per m, γ are
    std::uint32_t softness_stride = 1;  // from one to the next
    std::uint32_t set = 0;              // strands that are tied to each other have the same
    bool is_listed = false;             // in StrandSet::chains: softness and tensions are kept elsewhere
    bool is_rod = false;
};

struct StrandChains {
    std::vector<StrandChain> list;
    std::vector<std::uint32_t>
        tensions;  // of links: where T is kept, among multipliers or the state's tensions
    std::vector<std::uint32_t>
        chain_at;  // by slot: the strand of a particle, or of one tied to it; or no_link
    std::vector<std::uint32_t> tie_order;  // ties by set
    std::vector<std::uint32_t> first_tie;  // of each set, and the end of the last
    std::vector<std::uint32_t> members;    // of each set: how many particles
    std::uint32_t sets = 0;
};

// Without those that run through rings, and those of bodies of more than most_strands: hair.
inline constexpr std::size_t most_strands = 64;
StrandChains list_chains(const model::Model& model, const StrandSet& strands, std::size_t slots);

}  // namespace pliant::solvers::position_based
