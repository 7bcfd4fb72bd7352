// Which vertices elements use, and leaving out the others.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pliant::mesh {

template <std::size_t Corners>
std::vector<bool> used_vertices(std::size_t vertices,
                                const std::vector<std::array<std::uint32_t, Corners>>& elements) {
    std::vector<bool> used(vertices);
    for (const auto& element : elements) {
        for (const std::uint32_t corner : element) used[corner] = true;
    }
    return used;
}

// Numbers the used vertices anew, in their order. Returns the number that each had before.
template <class Position, std::size_t Corners>
std::vector<std::uint32_t> drop_unused_vertices(std::vector<Position>& positions,
                                                std::vector<std::array<std::uint32_t, Corners>>& elements) {
    const std::vector<bool> used = used_vertices(positions.size(), elements);
    std::vector<std::uint32_t> number(positions.size()), before;
    for (std::uint32_t v = 0; v < positions.size(); ++v) {
        if (!used[v]) continue;
        number[v] = static_cast<std::uint32_t>(before.size());
        positions[number[v]] = positions[v];
        before.push_back(v);
    }
    positions.resize(before.size());
    for (auto& element : elements) {
        for (std::uint32_t& corner : element) corner = number[corner];
    }
    return before;
}

}  // namespace pliant::mesh
