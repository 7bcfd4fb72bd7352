// The Cholesky factorization of a skyline matrix (skyline.h), and what solves by it. Compiled once per
// instruction set, and once for set-up: sums are always taken in the same order, whatever lanes compilers use
// for them.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace pliant::solvers::position_based {

struct FactorRun {
    const std::uint32_t* first = nullptr;  // column of each row's first entry
    const std::size_t* starts = nullptr;   // of each row's entries
    std::size_t from = 0, rows = 0;        // rows before `from` are factorized already
    double* values = nullptr;
};

// x = A⁻¹·x with the factor of A.
struct SolveRun {
    const std::uint32_t* first = nullptr;
    const std::size_t* starts = nullptr;
    std::size_t rows = 0;
    const double* factor = nullptr;
    double* x = nullptr;
};

namespace detail {

[[gnu::always_inline]] static inline double skyline_dot(const double* a, const double* b, std::size_t count) {
    constexpr std::size_t lanes = 8;
    double sums[lanes] = {};
    std::size_t k = 0;
    for (; k + lanes <= count; k += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += a[k + lane] * b[k + lane];
    }
    for (std::size_t lane = 0; k < count; ++k, ++lane) sums[lane] += a[k] * b[k];
    for (std::size_t half = lanes / 2; half > 0; half /= 2) {
        for (std::size_t lane = 0; lane < half; ++lane) sums[lane] += sums[lane + half];
    }
    return sums[0];
}

[[gnu::always_inline]] static inline void factorize_rows(const FactorRun& r) {
    constexpr double least_pivot = 1e-12;  // relative to the diagonal before
    for (std::size_t i = r.from; i < r.rows; ++i) {
        const std::size_t first = r.first[i];
        double* own = r.values + (r.starts[i] - first);
        for (std::size_t j = first; j < i; ++j) {
            const double* other = r.values + (r.starts[j] - r.first[j]);
            const std::size_t start = first > r.first[j] ? first : r.first[j];
            own[j] = (own[j] - skyline_dot(own + start, other + start, j - start)) * other[j];
        }
        const double pivot = own[i] - skyline_dot(own + first, own + first, i - first);
        own[i] = pivot > least_pivot * own[i] ? 1 / std::sqrt(pivot) : 0;
    }
}

[[gnu::always_inline]] static inline void solve_rows(const SolveRun& r) {
    for (std::size_t i = 0; i < r.rows; ++i) {
        const std::size_t first = r.first[i];
        const double* own = r.factor + (r.starts[i] - first);
        r.x[i] = (r.x[i] - skyline_dot(own + first, r.x + first, i - first)) * own[i];
    }
    for (std::size_t i = r.rows; i-- > 0;) {
        const double* own = r.factor + (r.starts[i] - r.first[i]);
        const double result = r.x[i] *= own[i];
        for (std::size_t j = r.first[i]; j < i; ++j) r.x[j] -= own[j] * result;
    }
}

}  // namespace detail

}  // namespace pliant::solvers::position_based
