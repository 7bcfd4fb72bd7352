// Symmetric matrices of which each row is stored from its first entry to the diagonal, and their Cholesky
// factors, which fill no more than that. In double, on one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solvers/position_based/coarse/skyline_factor.h"

namespace pliant::solvers::position_based {

class SkylineLayout {
public:
    SkylineLayout() = default;
    // first: the column of each row's first entry.
    explicit SkylineLayout(std::vector<std::uint32_t> first);

    std::size_t rows() const { return first_.size(); }
    std::size_t entries() const { return starts_.back(); }
    std::size_t first(std::size_t row) const { return first_[row]; }
    // Row i by columns, first(i) … i.
    double* row(double* values, std::size_t i) const { return values + (starts_[i] - first_[i]); }
    const double* row(const double* values, std::size_t i) const { return values + (starts_[i] - first_[i]); }
    // The matrix with k × k blocks in place of entries.
    SkylineLayout in_blocks(std::uint32_t k) const;
    // Multiplications of a factorization.
    double cost() const;
    // Rows before `from` keep their factor.
    FactorRun factor_run(std::span<double> values, std::size_t from) const;
    SolveRun solve_run(std::span<const double> factor, std::span<double> x) const;
    // Where the entries of a row begin.
    std::size_t start(std::size_t row) const { return starts_[row]; }

private:
    std::vector<std::uint32_t> first_;
    std::vector<std::size_t> starts_{0};
};

// A = L·Lᵀ, in place, with 1/Lᵢᵢ on the diagonal. Rows that depend on those before them become 0: solutions
// are 0 there.
void factorize(const SkylineLayout& layout, std::span<double> values);

// x = A⁻¹·x
void solve(const SkylineLayout& layout, std::span<const double> factor, std::span<double> x);

}  // namespace pliant::solvers::position_based
