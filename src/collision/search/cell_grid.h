// Space cut into cells that have numbers.
//
// Cells of a row (along x) have numbers one after the other, row(y, z) + x, so three neighbours are one
// range. In a bounded box row(y, z) counts all cells. Where there would be more than a few for each point, it
// is a hash, and numbers wrap: cells may then share a number, and points carry a mark of their row.
#pragma once

#include <pliant/bounds.h>
#include <pliant/vector.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace pliant::collision {

struct PointRange {
    std::uint32_t first = 0, end = 0;
    std::uint32_t mark = 0;  // of the row that is meant
};

struct CellGrid {
    using Cell = std::array<std::int32_t, 3>;
    static constexpr std::size_t most_cells_per_point = 4;
    static constexpr double most_along = 1e9;  // an axis; what is further away is in the last cell

    bool hashed = false;
    std::uint32_t count = 0;             // of cells; a power of two if hashed
    std::array<std::int64_t, 3> size{};  // along the axes, with an empty border
    Vec3d low{};                         // m, the corner from which cells count
    double inverse = 0;                  // 1/m, of a cell's side

    Cell cell_of(const Vec3& p) const {
        const auto along = [&](double x) {
            return x > 0 ? static_cast<std::int32_t>(std::min(x * inverse, most_along)) + 1 : 1;
        };
        return {along(p.x - low.x), along(p.y - low.y), along(p.z - low.z)};
    }
    std::uint32_t row(std::int64_t y, std::int64_t z) const {
        if (!hashed) return static_cast<std::uint32_t>((z * size[1] + y) * size[0]);
        const std::uint64_t mixed = static_cast<std::uint64_t>(y) * 0x9e3779b97f4a7c15u +
                                    static_cast<std::uint64_t>(z) * 0xc2b2ae3d27d4eb4fu;
        return static_cast<std::uint32_t>(mixed >> 32);
    }
    std::uint32_t number_of(const Cell& cell) const {
        const std::uint32_t number = row(cell[1], cell[2]) + static_cast<std::uint32_t>(cell[0]);
        return hashed ? number & (count - 1) : number;
    }
    // Of a row. Differs between rows that are neighbours of the same cell.
    static std::uint32_t mark_of(std::int64_t y, std::int64_t z) {
        return static_cast<std::uint32_t>(y & 0xffff) | static_cast<std::uint32_t>(z & 0xffff) << 16;
    }

    // The points of a cell, and of the half of its neighbours that lie behind it; returns how many ranges.
    // first: of each cell number, its first point, and behind them the number of points.
    std::size_t find_ranges(const Cell& cell, std::span<const std::uint32_t> first,
                            std::array<PointRange, 10>& ranges) const {
        std::size_t found = 0;
        const auto add_row = [&](int dy, int dz, int from, std::uint32_t cells) {
            const std::int64_t y = cell[1] + dy, z = cell[2] + dz;
            std::uint32_t a = row(y, z) + static_cast<std::uint32_t>(cell[0] + from);
            if (hashed) a &= count - 1;
            const std::uint32_t b = a + cells;
            ranges[found++] = {first[a], first[std::min(b, count)], mark_of(y, z)};
            if (b > count) ranges[found++] = {first[0], first[b - count], mark_of(y, z)};
        };
        add_row(0, 0, 0, 1);
        add_row(0, 0, 1, 1);
        add_row(1, 0, -1, 3);
        for (int dy = -1; dy <= 1; ++dy) add_row(dy, 1, -1, 3);
        return found;
    }
};

inline CellGrid make_cell_grid(const Bounds3d& bounds, double side, std::size_t points) {
    CellGrid grid;
    grid.low = bounds.low;
    grid.inverse = 1 / side;
    const auto along = [&](double length) {
        return static_cast<std::int64_t>(std::min(length * grid.inverse, CellGrid::most_along)) + 3;
    };
    const Vec3d extent = bounds.extent();
    grid.size = {along(extent.x), along(extent.y), along(extent.z)};
    const double all = double(grid.size[0]) * double(grid.size[1]) * double(grid.size[2]);
    grid.hashed = all > static_cast<double>(CellGrid::most_cells_per_point * points + 64);
    if (grid.hashed) {
        grid.count = 64;
        while (grid.count < 2 * points && grid.count < 0x40000000) grid.count *= 2;
    } else {
        grid.count = static_cast<std::uint32_t>(all);
    }
    return grid;
}

}  // namespace pliant::collision
