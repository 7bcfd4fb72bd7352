#include "mesh/geometry/coincident_points.h"

#include <pliant/bounds.h>

#include <algorithm>
#include <cstring>

#include "base/convert.h"
#include "base/union_find.h"
#include "mesh/topology/radix_sort.h"

namespace pliant::mesh {
namespace {

std::uint32_t bits_of(float a) {
    a += 0.0f;  // −0 becomes 0
    std::uint32_t bits;
    std::memcpy(&bits, &a, sizeof(bits));
    return bits;
}

// Points by the cells of a grid, which are numbered by three coordinates of 21 bits. Of points at one place
// only the first is entered.
struct CellGrid {
    double edge;
    std::vector<std::array<std::uint32_t, 3>> entries{};  // {high, low half of the cell's number, point}
    std::vector<std::uint64_t> cells{};                   // ascending
    std::vector<std::size_t> first{};                     // entry of each cell, and the end

    // Cells do not become smaller than a 2^-20th of the grid.
    CellGrid(std::span<const Vec3> points, std::span<const std::uint32_t> first_there, double wished_edge) {
        Bounds3 all;
        for (const Vec3& p : points) all.add(p);
        const Vec3d low = to_double(all.low), size = to_double(all.high) - low;
        edge = max(wished_edge, max(size.x, max(size.y, size.z)) * 0x1p-20);
        const auto coordinate = [&](double offset) { return static_cast<std::int64_t>(offset / edge); };
        for (std::uint32_t i = 0; i < points.size(); ++i) {
            if (first_there[i] != i) continue;
            const Vec3d p = to_double(points[i]) - low;
            const auto cell = static_cast<std::uint64_t>(
                cell_offset(coordinate(p.x) + 2, coordinate(p.y) + 2, coordinate(p.z) + 2));
            entries.push_back({static_cast<std::uint32_t>(cell >> 32), static_cast<std::uint32_t>(cell), i});
        }
        radix_sort<2>(entries);
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const std::uint64_t cell = std::uint64_t{entries[i][0]} << 32 | entries[i][1];
            if (!cells.empty() && cells.back() == cell) continue;
            cells.push_back(cell);
            first.push_back(i);
        }
        first.push_back(entries.size());
    }

    // From one cell's number to another's.
    static std::int64_t cell_offset(std::int64_t x, std::int64_t y, std::int64_t z) {
        return x * (std::int64_t{1} << 42) + y * (std::int64_t{1} << 21) + z;
    }
};

}  // namespace

std::vector<std::uint32_t> first_at_place(std::span<const Vec3> points) {
    std::vector<std::array<std::uint32_t, 4>> places;
    places.reserve(points.size());
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        places.push_back({bits_of(points[i].x), bits_of(points[i].y), bits_of(points[i].z), i});
    }
    radix_sort<3>(places);
    std::vector<std::uint32_t> first(points.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        const bool same =
            i > 0 && std::equal(places[i].begin(), places[i].begin() + 3, places[i - 1].begin());
        first[places[i][3]] = same ? first[places[i - 1][3]] : places[i][3];
    }
    return first;
}

std::vector<std::uint32_t> first_within(std::span<const Vec3> points, float distance) {
    const std::vector<std::uint32_t> same_place = first_at_place(points);
    if (!(distance > 0) || points.empty()) return same_place;
    // Points in one cell of half the distance are near each other, so that a cell is one set and one near
    // pair joins two of them. Points near each other lie at most two cells apart.
    const double reach = distance;
    const CellGrid grid(points, same_place, reach / 2);
    const bool cell_is_set = grid.edge == reach / 2;
    UnionFind sets(points.size());
    const auto point = [&](std::size_t entry) { return grid.entries[entry][2]; };
    const auto join_cells = [&](std::size_t a, std::size_t b) {
        if (cell_is_set && sets.find(point(grid.first[a])) == sets.find(point(grid.first[b]))) return;
        for (std::size_t i = grid.first[a]; i < grid.first[a + 1]; ++i) {
            for (std::size_t j = grid.first[b]; j < grid.first[b + 1]; ++j) {
                const Vec3d between = to_double(points[point(i)]) - to_double(points[point(j)]);
                if (length(between) > reach) continue;
                sets.join(point(i), point(j));
                if (cell_is_set) return;
            }
        }
    };
    for (std::size_t a = 0; a < grid.cells.size(); ++a) {
        if (!cell_is_set) join_cells(a, a);
        for (std::size_t i = grid.first[a]; cell_is_set && i < grid.first[a + 1]; ++i) {
            sets.join(point(grid.first[a]), point(i));
        }
    }
    // Each pair of cells once: half of the offsets. Both lists ascend, so one walk finds all partners.
    for (std::int64_t offset_number = 63; offset_number < 125; ++offset_number) {
        const auto offset = static_cast<std::uint64_t>(
            CellGrid::cell_offset(offset_number / 25 - 2, offset_number / 5 % 5 - 2, offset_number % 5 - 2));
        for (std::size_t a = 0, b = 0; a < grid.cells.size(); ++a) {
            while (b < grid.cells.size() && grid.cells[b] < grid.cells[a] + offset) ++b;
            if (b < grid.cells.size() && grid.cells[b] == grid.cells[a] + offset) join_cells(a, b);
        }
    }
    std::vector<std::uint32_t> first(points.size());
    for (std::uint32_t i = 0; i < points.size(); ++i) first[i] = sets.find(same_place[i]);
    return first;
}

}  // namespace pliant::mesh
