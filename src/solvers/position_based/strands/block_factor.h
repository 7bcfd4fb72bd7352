// A symmetric, positive matrix of 3×3 blocks with few neighbours each, factored as L·D·Lᵀ in double
// precision. What is eliminated early couples what is left; in which order, and which blocks that makes, is
// found once for a pattern (analyze), then the numbers come as often as needed.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <pliant/vector.h>

namespace pliant::solvers::position_based {

using Block = std::array<double, 9>;  // rows

class BlockFactor {
public:
    // Memory for patterns of up to so many rows that are not much denser than those of ropes in contact.
    void reserve(std::size_t rows);

    // couples: rows that are beside each other. Chains are eliminated first, from end to end; then the row
    // that has the fewest neighbours left, and so on.
    void analyze(std::size_t rows, std::span<const std::pair<std::uint32_t, std::uint32_t>> couples);

    // Numbers, from zero on.
    void clear();
    Block& diagonal(std::uint32_t row) { return diagonals_[place_[row]]; }
    // Adds a block, or its transpose, where rows a and b meet.
    void add(std::uint32_t a, std::uint32_t b, const Block& block);

    // Solves for `right`, in place. The numbers are used up.
    void solve(std::span<Vec3d> right);

private:
    void order(std::size_t rows);
    void eliminate(std::uint32_t row);
    std::uint32_t entry(std::uint32_t place, std::uint32_t column) const;

    std::vector<std::uint32_t> place_;       // of a row in the order of elimination
    std::vector<std::uint32_t> row_at_;      // its inverse
    std::vector<std::uint32_t> begins_;      // of a column: its entries, below the diagonal
    std::vector<std::uint32_t> entry_rows_;  // places, growing
    // Of a column: what each product of two of its entries is taken from, an entry or a diagonal.
    std::vector<std::uint32_t> target_begins_, targets_;
    std::vector<Block> diagonals_, entries_;  // by place; entry (i, j): A_ij with i after j
    std::vector<Vec3d> right_;
    std::vector<std::vector<std::uint32_t>> around_;  // while analyzing: neighbours that are left
};

}  // namespace pliant::solvers::position_based
