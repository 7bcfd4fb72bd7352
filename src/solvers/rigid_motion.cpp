#include "solvers/rigid_motion.h"

#include "base/scalar.h"

namespace pliant::solvers {
namespace {

// Solves I·ω = L for a symmetric I by its adjugate. A body without extent across an axis has no inertia
// about it, and gets no spin.
Vec3d solve_inertia(const Vec3d& d, const Vec3d& o, const Vec3d& l) {
    const double a = d.x, b = d.y, c = d.z, f = o.x, g = o.y, h = o.z;  // I = [a f g; f b h; g h c]
    const double trace = a + b + c;
    const Vec3d row0{b * c - h * h, g * h - f * c, f * h - g * b};
    const double determinant = a * row0.x + f * row0.y + g * row0.z;
    if (!(determinant > 1e-12 * trace * trace * trace)) return {};
    const Vec3d row1{row0.y, a * c - g * g, f * g - a * h};
    const Vec3d row2{row0.z, row1.z, a * b - f * f};
    return Vec3d{dot(row0, l), dot(row1, l), dot(row2, l)} * (1 / determinant);
}

}  // namespace

RigidMotion rigid_motion(const Moments& s) {
    if (!(s.mass > 0)) return {};
    RigidMotion motion;
    motion.center = s.first * (1 / s.mass);
    motion.linear = s.momentum * (1 / s.mass);
    const Vec3d& c = motion.center;
    const double xx = s.xx - s.mass * c.x * c.x, yy = s.yy - s.mass * c.y * c.y,
                 zz = s.zz - s.mass * c.z * c.z;
    const double xy = s.xy - s.mass * c.x * c.y, xz = s.xz - s.mass * c.x * c.z,
                 yz = s.yz - s.mass * c.y * c.z;
    motion.spin =
        solve_inertia({yy + zz, xx + zz, xx + yy}, {-xy, -xz, -yz}, s.angular - cross(c, s.momentum));
    return motion;
}

}  // namespace pliant::solvers
