// Whether all coordinates are numbers.
#pragma once

#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <cmath>

namespace pliant::mesh {

template <class T>
bool is_finite(const Vector3<T>& p) {
    return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
}
inline bool is_finite(const Vec2& p) { return std::isfinite(p.x) && std::isfinite(p.y); }

}  // namespace pliant::mesh
