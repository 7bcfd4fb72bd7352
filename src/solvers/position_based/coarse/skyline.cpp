#include "solvers/position_based/coarse/skyline.h"

#include <pliant/assertions.h>

#include <utility>

namespace pliant::solvers::position_based {

SkylineLayout::SkylineLayout(std::vector<std::uint32_t> first) : first_(std::move(first)) {
    for (std::size_t i = 0; i < first_.size(); ++i) {
        PLIANT_ASSERT(first_[i] <= i);
        starts_.push_back(starts_.back() + i - first_[i] + 1);
    }
}

SkylineLayout SkylineLayout::in_blocks(std::uint32_t k) const {
    std::vector<std::uint32_t> first;
    for (const std::uint32_t column : first_) first.insert(first.end(), k, k * column);
    return SkylineLayout(std::move(first));
}

double SkylineLayout::cost() const {
    double sum = 0;
    for (std::size_t i = 0; i < rows(); ++i) sum += 0.5 * double(i - first_[i]) * double(i - first_[i]);
    return sum;
}

FactorRun SkylineLayout::factor_run(std::span<double> values, std::size_t from) const {
    return {first_.data(), starts_.data(), from, rows(), values.data()};
}

void factorize(const SkylineLayout& layout, std::span<double> values) {
    detail::factorize_rows(layout.factor_run(values, 0));
}

SolveRun SkylineLayout::solve_run(std::span<const double> factor, std::span<double> x) const {
    return {first_.data(), starts_.data(), rows(), factor.data(), x.data()};
}

void solve(const SkylineLayout& layout, std::span<const double> factor, std::span<double> x) {
    detail::solve_rows(layout.solve_run(factor, x));
}

}  // namespace pliant::solvers::position_based
