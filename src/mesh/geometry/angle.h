// The angle of a vector in the plane, from square roots and a polynomial: the C library's differs from
// machine to machine.
#pragma once

#include "base/scalar.h"

namespace pliant::mesh {

inline constexpr double pi = 3.14159265358979323846;

// In (−π, π], within 10⁻¹⁴; 0 for the zero vector.
// atan t = 2 atan(t / (1 + √(1 + t²))), twice, leaves |t| ≤ tan(π/16) for the series.
inline double angle_of(double y, double x) {
    const double tall = abs(y), wide = abs(x);
    if (max(tall, wide) == 0) return 0;
    double t = min(tall, wide) / max(tall, wide);
    for (int half = 0; half < 2; ++half) t = t / (1 + sqrt(1 + t * t));
    const double s = t * t;
    double series = 0;
    for (int odd = 17; odd >= 1; odd -= 2) series = 1.0 / odd - s * series;
    double angle = 4 * t * series;
    if (tall > wide) angle = pi / 2 - angle;
    if (x < 0) angle = pi - angle;
    return y < 0 ? -angle : angle;
}

}  // namespace pliant::mesh
