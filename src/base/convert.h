// Vectors between float and double, and their length.
#pragma once

#include <pliant/vector.h>

#include "base/scalar.h"

namespace pliant {

inline Vec3d to_double(const Vec3& a) { return {a.x, a.y, a.z}; }
inline Vec3 to_float(const Vec3d& a) {
    return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)};
}
inline double length(const Vec3d& a) { return sqrt(dot(a, a)); }

}  // namespace pliant
