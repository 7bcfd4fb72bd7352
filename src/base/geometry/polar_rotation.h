// The rotation R next to F, in closed form: no trigonometry, no state, no branch.
//
// R maximizes R:F. The maximum l = R:F is the largest root of
//
//   l⁴ − 2|F|²·l² − 8J·l + |F|⁴ − 4|cof F|² = 0,   J = det F,
//
// since l = σ₁ + σ₂ ± σ₃ (the sign of J) and the four roots are the sums with an even number of changed
// signs. Newton's method from √3·|F| comes down to it monotonously. Then, by Cayley and Hamilton,
//
//   R = (½(l² + |F|²)·F + l·cof F − F·FᵀF) / (½·l·(l² − |F|²) − J).
//
// det R = +1, also for an inverted F. F is scaled to |F| = 1 first, so that size does not matter. A
// denominator near 0 means that R is not unique (F flattened to a line, or mirrored with equal strains); it
// is bounded below, and R then is shorter than a rotation. Of F = 0 the rotation is 1.
#pragma once

#include "base/geometry/matrix3.h"
#include "base/scalar.h"

namespace pliant {

// cof: cofactor(f), j: det f, square: |f|².
template <class T>
[[gnu::always_inline]] inline Matrix3<T> polar_rotation(const Matrix3<T>& f, const Matrix3<T>& cof,
                                                        const T& j, const T& square) {
    // In units of |F|.
    const T scale = divide_or_zero(T(1.0f), sqrt(square)), scale2 = scale * scale;
    const Matrix3<T> unit = f * scale;
    const T det = j * (scale2 * scale), cof_square = contract(cof, cof) * (scale2 * scale2);

    const T half(0.5f), one(1.0f), two(2.0f), four(4.0f), eight_det = T(8.0f) * det;
    const T constant = one - four * cof_square;
    T l(1.7320508f);
    for (int step = 0; step < 4; ++step) {
        const T l2 = l * l;
        const T value = l2 * (l2 - two) - eight_det * l + constant;
        const T slope = four * l * (l2 - one) - eight_det;
        l = l - value / (slope + T(1e-6f) * l);
    }
    const T l2 = l * l;
    const T denominator = max(half * l * (l2 - one) - det, T(1e-5f) * l2 * l);
    const T inverse = one / denominator;
    const Matrix3<T> cubic = unit * gram(unit);
    const Matrix3<T> sum = unit * (half * (l2 + one)) + cof * (scale2 * l) - cubic;
    const auto exists = scale > T(0.0f);
    const T inverse_or_zero = select(exists, inverse, T(0.0f));
    return sum * inverse_or_zero + diagonal(select(exists, T(0.0f), one));
}

template <class T>
[[gnu::always_inline]] inline Matrix3<T> polar_rotation(const Matrix3<T>& f) {
    const Matrix3<T> cof = cofactor(f);
    return polar_rotation(f, cof, dot(f.x, cof.x), contract(f, f));
}

}  // namespace pliant
