#pragma once

#include "base/rotation.h"

namespace pliant::solvers {

// The rotation R next to A, that is, with the largest trace of RᵀA (Müller, Bender, Chentanez, Macklin 2016).
// It is a rotation also where A is flat or mirrored. columns: of A.
inline UnitQuaternion nearest_rotation(const Vec3d (&columns)[3]) {
    constexpr Vec3d axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    UnitQuaternion q;
    for (int iteration = 0; iteration < 100; ++iteration) {
        Vec3d torque{};
        double along = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d r = rotate(q, axes[k]);
            torque = torque + cross(r, columns[k]);
            along += dot(r, columns[k]);
        }
        if (!(abs(along) > 0)) break;
        // Half the angle, for small ones; normalized, it is a rotation whatever its size.
        const Vec3d half = torque * (0.5 / abs(along));
        if (!(dot(half, half) > 1e-18)) break;
        const UnitQuaternion next{half * q.w + q.v + cross(half, q.v), q.w - dot(half, q.v)};
        const double scale = 1 / sqrt(dot(next.v, next.v) + next.w * next.w);
        q = {next.v * scale, next.w * scale};
    }
    return q;
}

}  // namespace pliant::solvers
