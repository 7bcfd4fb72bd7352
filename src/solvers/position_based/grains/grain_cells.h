// Which grains may touch: points in the order of cells (count, sum up, fill; collision/search/cell_grid.h),
// and pairs of points in cells that are neighbours. It keeps its memory from one sort to the next.
//
// Cells are joined to blocks of 4³, and blocks have eight colours, by the parity of their coordinates. A pair
// belongs to the block of its first point, and its second one is at most a cell further: pairs of two blocks
// of one colour share no point. Blocks are dealt to chunks, each of one colour.
#pragma once

#include <pliant/vector.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "collision/search/cell_grid.h"

namespace pliant::solvers::position_based {

class GrainCells {
public:
    static constexpr std::size_t colours = 8;
    static constexpr std::size_t points_per_chunk = 512;  // or a little more
    static constexpr std::size_t most_chunks(std::size_t points) {
        return points / points_per_chunk + colours;
    }

    // The order of points and their chunks. extents: m, of each point; pairs are listed that are at most the
    // sum of theirs apart.
    void sort(std::span<const Vec3> points, std::span<const float> extents, Executor& executor);

    std::span<const std::uint32_t> order() const { return order_; }  // points, by cell
    std::size_t chunks() const { return chunk_first_.empty() ? 0 : chunk_first_.size() - 1; }
    std::size_t points_in(std::size_t chunk) const { return chunk_first_[chunk + 1] - chunk_first_[chunk]; }
    std::size_t first_chunk(std::size_t colour) const { return colour_first_[colour]; }

    // Calls found(a, b) for pairs of places in that order. A point is compared with at most so many others:
    // where all are in one place, all pairs would never end.
    static constexpr std::uint32_t most_compared = 512;
    template <class Found>
    void list(std::size_t chunk, const Found& found) const {
        std::array<collision::PointRange, 10> ranges;
        std::size_t count = 0;
        Cell last{};
        for (std::uint32_t i = chunk_first_[chunk]; i < chunk_first_[chunk + 1]; ++i) {
            const std::uint32_t place = by_block_[i];
            const Cell cell = cell_[place];
            if (i == chunk_first_[chunk] || cell != last) count = grid_.find_ranges(cell, first_, ranges);
            last = cell;
            ranges[0].first = place + 1;  // of its own cell, those behind it
            const Point point = points_[place];
            std::uint32_t left = most_compared;
            for (std::size_t r = 0; r < count; ++r) {
                const auto [first, all, mark] = ranges[r];
                const std::uint32_t end = all - first > left ? first + left : all;
                left -= end - first;
                for (std::uint32_t other = first; other < end; ++other) {
                    const Vec3 d = points_[other].x - point.x;
                    const float limit = points_[other].extent + point.extent;
                    if (dot(d, d) <= limit * limit && (!grid_.hashed || mark_at(other) == mark))
                        found(place, other);
                }
            }
        }
    }

private:
    using Cell = collision::CellGrid::Cell;
    struct Point {
        Vec3 x;
        float extent;
    };

    std::uint32_t mark_at(std::uint32_t place) const {
        return collision::CellGrid::mark_of(cell_[place][1], cell_[place][2]);
    }
    std::uint32_t block_of(const Cell& cell) const;
    void find_cells(std::span<const Vec3> points, double side, Executor& executor);
    void fill(std::span<const Vec3> points, std::span<const float> extents);
    void deal_blocks();

    collision::CellGrid grid_;
    std::uint32_t blocks_ = 0;            // numbers of blocks per colour, a power of two
    std::vector<std::uint32_t> first_;    // of each cell, its first place; count + 1 of them
    std::vector<std::uint32_t> numbers_;  // of each point's cell, then of each place's block
    std::vector<Cell> unsorted_, cell_;
    std::vector<Point> points_;  // by place
    std::vector<std::uint32_t> order_;
    std::vector<std::uint32_t> by_block_;  // places
    std::vector<std::uint32_t> block_first_;
    std::vector<std::uint32_t> chunk_first_;               // in by_block_
    std::array<std::size_t, colours + 1> colour_first_{};  // chunks
};

}  // namespace pliant::solvers::position_based
