// One point against ranges of others, several at once.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "collision/search/cells.h"

namespace pliant::collision {

// Writes pairs of the point (by its place in the order of cells) with those at most `distance` away, and
// returns how many. There is room for all in the ranges.
using PairScan = std::size_t (*)(const Cells& cells, std::uint32_t place, std::span<const PointRange> ranges,
                                 float distance, std::array<std::uint32_t, 2>* found);

// The widest that the processor runs; all give the same pairs in the same order.
PairScan pair_scan();

}  // namespace pliant::collision
