// Points in the order of cells: count, sum up, fill.
#pragma once

#include <pliant/bounds.h>
#include <pliant/vector.h>

#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "collision/search/cell_grid.h"
#include "collision/search/raw_array.h"

namespace pliant::collision {

inline constexpr std::size_t points_at_once = 16;

struct Cells {
    CellGrid grid;
    std::vector<std::uint32_t> first;  // of each cell, its first point; count + 1 of them
    // Of each point, in the order of cells, and behind them points_at_once that are near nothing.
    RawArray<float> x, y, z;
    RawArray<std::uint32_t> mark;   // of its row, if hashed
    RawArray<std::uint32_t> index;  // in the order of the caller
};

Cells sort_into_cells(std::span<const Vec3> points, const Bounds3d& bounds, double side, Executor& executor);

}  // namespace pliant::collision
