// The functions that formulas use, for plain numbers. For lanes they come with the lane type.
#pragma once

#include <pliant/vector.h>

namespace pliant {

inline float sqrt(float a) { return __builtin_sqrtf(a); }
inline double sqrt(double a) { return __builtin_sqrt(a); }
inline float max(float a, float b) { return a > b ? a : b; }
inline double max(double a, double b) { return a > b ? a : b; }
inline float min(float a, float b) { return a < b ? a : b; }
inline double min(double a, double b) { return a < b ? a : b; }
inline float abs(float a) { return __builtin_fabsf(a); }
inline double abs(double a) { return __builtin_fabs(a); }
inline float select(bool m, float a, float b) { return m ? a : b; }
inline double select(bool m, double a, double b) { return m ? a : b; }
inline bool any(bool m) { return m; }

template <class Mask, class T>
[[gnu::always_inline]] inline Vector3<T> select(const Mask& m, const Vector3<T>& a, const Vector3<T>& b) {
    return {select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}

// a/b, and 0 where that is not a number of reasonable size: b = 0, overflow, NaN.
template <class T>
T divide_or_zero(T a, T b) {
    return abs(a) < abs(b) * T(1e30f) ? a / b : T(0);
}

}  // namespace pliant
