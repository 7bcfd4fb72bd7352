// Vectors between float and double, and their length.
#pragma once

#include <pliant/vector.h>

#include "base/scalar.h"

namespace pliant {

inline Vec3d to_double(const Vec3& a) { return {a.x, a.y, a.z}; }
inline Vec3 to_float(const Vec3d& a) {
    return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}
// The nearest floats, as doubles. g++ 12 at -O2 leaves out a conversion to float and back of neighbouring
// doubles (wrong code of its vectorizer), hence volatile.
inline double round_to_float(double a) {
    volatile float rounded = static_cast<float>(a);
    return rounded;
}
inline Vec3d round_to_float(const Vec3d& a) {
    return {round_to_float(a.x), round_to_float(a.y), round_to_float(a.z)};
}
inline double length(const Vec3d& a) { return sqrt(dot(a, a)); }

}  // namespace pliant
