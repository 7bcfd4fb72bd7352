// 4 × 4 matrices, column after column, as OpenGL reads them.
#pragma once

#include <pliant/vector.h>

#include <array>
#include <cmath>
#include <cstddef>

#include "output/picture/vectors.h"

namespace pliant::output::opengl {

using Matrix = std::array<float, 16>;

inline Matrix operator*(const Matrix& a, const Matrix& b) {
    Matrix product{};
    for (std::size_t column = 0; column < 4; ++column) {
        for (std::size_t row = 0; row < 4; ++row) {
            for (std::size_t k = 0; k < 4; ++k) {
                product[4 * column + row] += a[4 * k + row] * b[4 * column + k];
            }
        }
    }
    return product;
}

// The eye at the origin, looking along −z.
inline Matrix look(Vec3 eye, Vec3 forward) {
    const Vec3 z = -unit(forward, {0, 0, -1});
    const Vec3 x = unit(cross(std::abs(z.y) > 0.999f ? Vec3{0, 0, -1} : Vec3{0, 1, 0}, z), {1, 0, 0});
    const Vec3 y = cross(z, x);
    return {x.x, y.x, z.x, 0, x.y,          y.y,          z.y,          0,
            x.z, y.z, z.z, 0, -dot(x, eye), -dot(y, eye), -dot(z, eye), 1};
}

inline Matrix perspective(float slope, float aspect, float near, float far) {
    const float f = 1 / slope, d = near - far;
    return {f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / d, -1, 0, 0, 2 * far * near / d, 0};
}

// What lies within the reach of the origin to all sides, and within the depth before and behind it.
inline Matrix parallel(Vec3 towards_eye, float reach, float depth) {
    const Matrix box{1 / reach, 0, 0, 0, 0, 1 / reach, 0, 0, 0, 0, -1 / depth, 0, 0, 0, 0, 1};
    return box * look({}, -towards_eye);
}

}  // namespace pliant::output::opengl
