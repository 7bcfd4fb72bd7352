#include "solvers/position_based/grains/grain_cells.h"

#include <pliant/bounds.h>

#include <algorithm>

#include "base/convert.h"

namespace pliant::solvers::position_based {
namespace {

constexpr std::size_t piece = 8192;  // of points, for one thread
constexpr int block_shift = 2;       // blocks of 4³ cells

}  // namespace

// Colour first. Blocks may share a number: then they are done one after the other.
std::uint32_t GrainCells::block_of(const Cell& cell) const {
    const std::int64_t x = cell[0] >> block_shift, y = cell[1] >> block_shift, z = cell[2] >> block_shift;
    const auto colour = static_cast<std::uint32_t>((x & 1) | (y & 1) << 1 | (z & 1) << 2);
    const std::int64_t wide = (grid_.size[0] >> (block_shift + 1)) + 1,
                       high = (grid_.size[1] >> (block_shift + 1)) + 1;
    const std::int64_t number = ((z >> 1) * high + (y >> 1)) * wide + (x >> 1);
    return colour * blocks_ + (static_cast<std::uint32_t>(number) & (blocks_ - 1));
}

void GrainCells::find_cells(std::span<const Vec3> points, double side, Executor& executor) {
    Bounds3d bounds;
    for (const Vec3& p : points) bounds.add(to_double(p));
    grid_ = collision::make_cell_grid(bounds, side, points.size());
    blocks_ = 16;
    while (blocks_ < points.size() / 64) blocks_ *= 2;

    unsorted_.resize(points.size());
    numbers_.resize(points.size());
    executor.for_each((points.size() + piece - 1) / piece, [&](std::size_t k) {
        for (std::size_t i = k * piece; i < std::min(points.size(), (k + 1) * piece); ++i) {
            unsorted_[i] = grid_.cell_of(points[i]);
            numbers_[i] = grid_.number_of(unsorted_[i]);
        }
    });
}

void GrainCells::fill(std::span<const Vec3> points, std::span<const float> extents) {
    first_.reserve(collision::CellGrid::most_cells_per_point * points.size() + 66);
    first_.assign(std::size_t(grid_.count) + 1, 0);
    for (const std::uint32_t number : numbers_) ++first_[number + 1];
    for (std::size_t i = 0; i < grid_.count; ++i) first_[i + 1] += first_[i];
    order_.resize(points.size());
    points_.resize(points.size());
    cell_.resize(points.size());
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        const std::uint32_t place = first_[numbers_[i]]++;
        order_[place] = i;
        points_[place] = {points[i], extents[i]};
        cell_[place] = unsorted_[i];
    }
    // Each is now where the next began.
    for (std::size_t i = grid_.count; i > 0; --i) first_[i] = first_[i - 1];
    first_[0] = 0;
}

void GrainCells::deal_blocks() {
    const std::size_t all = colours * blocks_;
    block_first_.assign(all + 1, 0);
    for (std::size_t place = 0; place < cell_.size(); ++place) {
        numbers_[place] = block_of(cell_[place]);
        ++block_first_[numbers_[place] + 1];
    }
    for (std::size_t i = 0; i < all; ++i) block_first_[i + 1] += block_first_[i];
    chunk_first_.clear();
    chunk_first_.reserve(most_chunks(cell_.size()) + 1);
    for (std::size_t colour = 0; colour < colours; ++colour) {
        colour_first_[colour] = chunk_first_.size();
        const std::uint32_t end = block_first_[(colour + 1) * blocks_];
        std::uint32_t begun = block_first_[colour * blocks_];
        if (begun == end) continue;
        chunk_first_.push_back(begun);
        for (std::size_t b = colour * blocks_; b < (colour + 1) * blocks_; ++b) {
            if (block_first_[b + 1] - begun < points_per_chunk || block_first_[b + 1] == end) continue;
            begun = block_first_[b + 1];
            chunk_first_.push_back(begun);
        }
    }
    colour_first_[colours] = chunk_first_.size();
    if (!chunk_first_.empty()) chunk_first_.push_back(static_cast<std::uint32_t>(cell_.size()));
    by_block_.resize(cell_.size());
    for (std::uint32_t place = 0; place < cell_.size(); ++place)
        by_block_[block_first_[numbers_[place]]++] = place;
}

void GrainCells::sort(std::span<const Vec3> points, std::span<const float> extents, Executor& executor) {
    const float largest = *std::max_element(extents.begin(), extents.end());
    // A little more, so that rounding of cells loses no pair.
    find_cells(points, 2 * double(largest) * (1 + 1e-5), executor);
    fill(points, extents);
    deal_blocks();
}

}  // namespace pliant::solvers::position_based
