// A rotation as a unit quaternion (v, w).
#pragma once

#include <pliant/vector.h>

namespace pliant {

struct UnitQuaternion {
    Vec3d v{};
    double w = 1;

    Vec3d operator()(const Vec3d& x) const { return x + cross(v, cross(v, x) + x * w) * 2.0; }
};

}  // namespace pliant
