// The angle of a direction in the plane, the same bits on every machine; the C library's differ in the last
// one. Safe everywhere: no cut-off, no singularity, (0, 0) gives 0.
#pragma once

#include "base/scalar.h"

namespace pliant {
namespace detail {

// atan z for z in [0, 1]: z + z·s·P(s), s = z², P by a minimax fit; wrong by at most 1.1e-7 in float.
template <class T>
[[gnu::always_inline]] inline T arctangent_to_one(T z) {
    const T s = z * z;
    T p = T(-0.00435539987f);
    p = p * s + T(0.0230401158f);
    p = p * s + T(-0.057773564f);
    p = p * s + T(0.0979423299f);
    p = p * s + T(-0.139765814f);
    p = p * s + T(0.199627042f);
    p = p * s + T(-0.333316594f);
    return z + z * s * p;
}

// Halves the angle twice, so that it is below π/16, then Taylor's series; what is left out is below 1e-18.
inline double arctangent_to_one(double z) {
    for (int i = 0; i < 2; ++i) z = z / (1 + sqrt(1 + z * z));
    const double s = z * z;
    double sum = 0;
    for (int k = 25; k >= 1; k -= 2) sum = 1.0 / k - s * sum;
    return 4 * z * sum;
}

}  // namespace detail

// atan2(y, x), in [−π, π].
template <class T>
[[gnu::always_inline]] inline T arctangent(T y, T x) {
    const T a = abs(y), b = abs(x);
    const T z = divide_or_zero(min(a, b), max(a, b));
    T angle = detail::arctangent_to_one(z);
    angle = select(a > b, T(1.57079632679489662f) - angle, angle);
    angle = select(x < T(0.0f), T(3.14159265358979324f) - angle, angle);
    return select(y < T(0.0f), -angle, angle);
}
inline double arctangent(double y, double x) {
    constexpr double pi = 3.141592653589793238;
    const double a = abs(y), b = abs(x);
    double angle = detail::arctangent_to_one(divide_or_zero(min(a, b), max(a, b)));
    if (a > b) angle = pi / 2 - angle;
    if (x < 0) angle = pi - angle;
    return y < 0 ? -angle : angle;
}

}  // namespace pliant
