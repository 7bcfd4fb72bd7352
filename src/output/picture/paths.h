// Lines that follow one another, as paths.
#pragma once

#include <pliant/mesh.h>

#include <cstdint>
#include <span>
#include <vector>

namespace pliant::output {

using Path = std::vector<std::uint32_t>;

// Lines in a row, as far as each begins where the last one ended: a rope is one path.
inline std::vector<Path> join_lines(std::span<const Edge> lines) {
    std::vector<Path> paths;
    for (const Edge& line : lines) {
        if (paths.empty() || paths.back().back() != line[0]) paths.push_back({line[0]});
        paths.back().push_back(line[1]);
    }
    return paths;
}

}  // namespace pliant::output
