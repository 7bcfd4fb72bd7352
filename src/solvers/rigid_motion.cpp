#include "solvers/rigid_motion.h"

#include "base/scalar.h"

namespace pliant::solvers {
namespace {

// I = Σ m(|r|²·1 − r·rᵀ), r from the centre of mass.
struct Inertia {
    Vec3d diagonal, others;  // xx, yy, zz; xy, xz, yz

    double trace() const { return diagonal.x + diagonal.y + diagonal.z; }
};

Inertia inertia_of(const Moments& s) {
    const Vec3d c = s.first * (1 / s.mass);
    const double xx = s.xx - s.mass * c.x * c.x, yy = s.yy - s.mass * c.y * c.y,
                 zz = s.zz - s.mass * c.z * c.z;
    const double xy = s.xy - s.mass * c.x * c.y, xz = s.xz - s.mass * c.x * c.z,
                 yz = s.yz - s.mass * c.y * c.z;
    return {{yy + zz, xx + zz, xx + yy}, {-xy, -xz, -yz}};
}

// Solves I·ω = L by the adjugate of I, or gives nothing where I has no inverse.
Vec3d solve(const Inertia& inertia, const Vec3d& l) {
    const double a = inertia.diagonal.x, b = inertia.diagonal.y, c = inertia.diagonal.z;
    const double f = inertia.others.x, g = inertia.others.y, h = inertia.others.z;  // [a f g; f b h; g h c]
    const double trace = inertia.trace();
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
    return {s.first * (1 / s.mass), s.momentum * (1 / s.mass), solve(inertia_of(s), angular_momentum(s))};
}

Vec3d angular_momentum(const Moments& s) {
    return s.mass > 0 ? s.angular - cross(s.first * (1 / s.mass), s.momentum) : Vec3d{};
}

Vec3d spin_that_adds(const Vec3d& angular_momentum, const Moments& s) {
    if (!(s.mass > 0)) return {};
    Inertia inertia = inertia_of(s);
    const double least = 1e-6 * inertia.trace();
    inertia.diagonal = inertia.diagonal + Vec3d{least, least, least};
    return solve(inertia, angular_momentum);
}

}  // namespace pliant::solvers
