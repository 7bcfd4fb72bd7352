// More precise and exact arithmetic on doubles: a number as a sum of doubles that do not overlap.
//
// J. R. Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates,
// Discrete & Computational Geometry 18, 1997. Wants rounding to nearest, no fused multiply-add, no
// overflow and no underflow; zeros are left out, so simple numbers make short sums.
#pragma once

#include <algorithm>
#include <cmath>

namespace pliant::mesh {

// value + error is the exact result.
struct RoundedDouble {
    double value, error;
};

inline RoundedDouble two_sum(double a, double b) {
    const double sum = a + b, b_seen = sum - a, a_seen = sum - b_seen;
    return {sum, (a - a_seen) + (b - b_seen)};
}

// |larger| ≥ |smaller|, or larger is 0.
inline RoundedDouble fast_two_sum(double larger, double smaller) {
    const double sum = larger + smaller;
    return {sum, smaller - (sum - larger)};
}

// Halves of 26 bits each (Dekker 1971).
inline RoundedDouble split(double a) {
    const double c = (0x1p27 + 1) * a, high = c - (c - a);
    return {high, a - high};
}

inline RoundedDouble two_product(double a, double b) {
    const double product = a * b;
    const auto [a_high, a_low] = split(a);
    const auto [b_high, b_low] = split(b);
    return {product, a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)};
}

// A number of about 106 bits: two doubles, the larger rounded from their sum. A result of either operation is
// off by at most 7u² of itself, u = 2⁻⁵³ (Joldes, Muller, Popescu: Tight and rigorous error bounds for basic
// building blocks of double-word arithmetic, ACM TOMS 44, 2017, algorithms 6 and 10).
struct DoubleDouble {
    double high, low;

    friend DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) {
        const auto [s, s_error] = two_sum(a.high, b.high);
        const auto [t, t_error] = two_sum(a.low, b.low);
        const auto [v, v_error] = fast_two_sum(s, s_error + t);
        const RoundedDouble sum = fast_two_sum(v, t_error + v_error);
        return {sum.value, sum.error};
    }
    friend DoubleDouble operator-(const DoubleDouble& a, const DoubleDouble& b) {
        return a + DoubleDouble{-b.high, -b.low};
    }
    friend DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b) {
        const auto [product, error] = two_product(a.high, b.high);
        const RoundedDouble sum = fast_two_sum(product, error + (a.high * b.low + a.low * b.high));
        return {sum.value, sum.error};
    }
};

// The components ascend in magnitude and share no bit, hence never outnumber the bits between the largest
// and the smallest number that the predicates admit: about 2,000.
constexpr int most_components = 2048;

template <int Capacity>
class ExactSum {
public:
    static_assert(Capacity <= most_components);

    ExactSum() {}
    ExactSum(const ExactSum& other) : size_(other.size_) {
        std::copy_n(other.components_, size_, components_);
    }
    ExactSum& operator=(const ExactSum&) = delete;

    int size() const { return size_; }
    double operator[](int i) const { return components_[i]; }
    void append_unless_zero(double component) {
        components_[size_] = component;
        size_ += component != 0;
    }
    int sign() const {
        if (size_ == 0) return 0;
        return components_[size_ - 1] > 0 ? 1 : -1;
    }

private:
    int size_ = 0;
    double components_[Capacity + 1];  // the first size_ are set; one more takes a zero
};

template <int Components>
using ExactSumOf = ExactSum<std::min(Components, most_components)>;

using Difference = ExactSum<2>;

inline Difference exact_difference(double a, double b) {
    const auto [value, error] = two_sum(a, -b);
    Difference result;
    result.append_unless_zero(error);
    result.append_unless_zero(value);
    return result;
}

// Fast-Expansion-Sum: merges by magnitude and carries upward. `sign` −1 subtracts b.
template <int A, int B>
ExactSumOf<A + B> exact_sum(const ExactSum<A>& a, const ExactSum<B>& b, double sign = 1) {
    ExactSumOf<A + B> result;
    int i = 0, j = 0;
    double carry = 0;
    while (i < a.size() || j < b.size()) {
        const bool take_a = j == b.size() || (i < a.size() && std::abs(a[i]) < std::abs(b[j]));
        const auto [value, error] = two_sum(carry, take_a ? a[i++] : sign * b[j++]);
        result.append_unless_zero(error);
        carry = value;
    }
    result.append_unless_zero(carry);
    return result;
}

template <int A, int B>
ExactSumOf<A + B> operator+(const ExactSum<A>& a, const ExactSum<B>& b) {
    return exact_sum(a, b);
}

template <int A, int B>
ExactSumOf<A + B> operator-(const ExactSum<A>& a, const ExactSum<B>& b) {
    return exact_sum(a, b, -1);
}

// Scale-Expansion.
template <int A>
ExactSumOf<2 * A> operator*(const ExactSum<A>& a, double b) {
    ExactSumOf<2 * A> result;
    double carry = 0;
    for (int i = 0; i < a.size(); ++i) {
        const auto [product, product_error] = two_product(a[i], b);
        const auto [middle, middle_error] = two_sum(carry, product_error);
        result.append_unless_zero(middle_error);
        const auto [value, error] = fast_two_sum(product, middle);
        result.append_unless_zero(error);
        carry = value;
    }
    result.append_unless_zero(carry);
    return result;
}

template <int A>
ExactSumOf<4 * A> operator*(const ExactSum<A>& a, const Difference& b) {
    if (b.size() == 0 || a.size() == 0) return {};
    if (b.size() == 1) return a * b[0] + ExactSumOf<2 * A>{};
    return a * b[0] + a * b[1];
}

}  // namespace pliant::mesh
