// Directions.
#pragma once

#include <pliant/vector.h>

#include <cmath>

namespace pliant::output {

inline Vec3 unit(Vec3 v, Vec3 otherwise = {0, 1, 0}) {
    const float length = std::sqrt(dot(v, v));
    return length > 0 ? v * (1 / length) : otherwise;
}

}  // namespace pliant::output
