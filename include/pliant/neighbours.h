// Which points are near each other: all pairs within a distance, in time proportional to their number.
//
// Space is cut into cells as wide as the distance. Cells are numbered by a hash, so the domain has no bounds.
// Points are counted per cell, the counts summed up, and the points filled in (Müller, Ten Minute Physics
// 11): three dense arrays, no lists. The same pairs in the same order at any number of threads.
#pragma once

#include <pliant/error.h>
#include <pliant/vector.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pliant {

struct NeighbourOptions {
    int threads = 1;
    // More pairs than this are an Error: points that lie in one place have n²/2 of them.
    std::size_t most_pairs = 50'000'000;
};

// Pairs {i, j} of points at most `distance` apart (m), each pair once, in an order that the points alone
// decide. Coordinates must be finite, and within 10⁹ distances.
Result<std::vector<std::array<std::uint32_t, 2>>> neighbours(std::span<const Vec3> points, float distance,
                                                             const NeighbourOptions& options = {});

}  // namespace pliant
