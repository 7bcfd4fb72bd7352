#include "solvers/rigid_motion.h"

#include "base/scalar.h"

namespace pliant::solvers {
namespace {

// I = Σ m(|r|²·1 − r·rᵀ), r from the centre of mass.
struct Inertia {
    Vec3d diagonal, others;  // xx, yy, zz; xy, xz, yz
};

Inertia inertia_of(const Moments& s) {
    const Vec3d c = s.first * (1 / s.mass);
    const double xx = s.xx - s.mass * c.x * c.x, yy = s.yy - s.mass * c.y * c.y,
                 zz = s.zz - s.mass * c.z * c.z;
    const double xy = s.xy - s.mass * c.x * c.y, xz = s.xz - s.mass * c.x * c.z,
                 yz = s.yz - s.mass * c.y * c.z;
    return {{yy + zz, xx + zz, xx + yy}, {-xy, -xz, -yz}};
}

// I⁻¹·det I, and det I.
struct Adjugate {
    Vec3d diagonal, others;
    double determinant;
};

Adjugate adjugate_of(const Inertia& inertia) {
    const auto [a, b, c] = inertia.diagonal;
    const auto [f, g, h] = inertia.others;  // [a f g; f b h; g h c]
    const Vec3d diagonal{b * c - h * h, a * c - g * g, a * b - f * f};
    const Vec3d others{g * h - f * c, f * h - g * b, f * g - a * h};
    return {diagonal, others, a * diagonal.x + f * others.x + g * others.y};
}

// ω of I·ω = L. The sums are of floats: where inertia about an axis is no more than their rounding, as in a
// straight line, a little is added. Else a particle could get any spin.
Vec3d spin_of(const Moments& s, const Vec3d& l) {
    Inertia inertia = inertia_of(s);
    const Vec3d& d = inertia.diagonal;
    const double about_origin = s.xx + s.yy + s.zz, trace = d.x + d.y + d.z;
    Adjugate adjugate = adjugate_of(inertia);
    if (!(trace > 0 && adjugate.determinant > 1e-6 * about_origin * trace * trace)) {
        const double little = 1e-6 * about_origin;
        inertia.diagonal = d + Vec3d{little, little, little};
        adjugate = adjugate_of(inertia);
    }
    if (!(adjugate.determinant > 0)) return {};
    const auto [xx, yy, zz] = adjugate.diagonal;
    const auto [xy, xz, yz] = adjugate.others;
    return Vec3d{xx * l.x + xy * l.y + xz * l.z, xy * l.x + yy * l.y + yz * l.z,
                 xz * l.x + yz * l.y + zz * l.z} *
           (1 / adjugate.determinant);
}

}  // namespace

RigidMotion rigid_motion(const Moments& s) {
    if (!(s.mass > 0)) return {};
    return {s.first * (1 / s.mass), s.momentum * (1 / s.mass), spin_of(s, angular_momentum(s))};
}

Vec3d angular_momentum(const Moments& s) {
    return s.mass > 0 ? s.angular - cross(s.first * (1 / s.mass), s.momentum) : Vec3d{};
}

Vec3d spin_that_adds(const Vec3d& angular_momentum, const Moments& s) {
    return s.mass > 0 ? spin_of(s, angular_momentum) : Vec3d{};
}

}  // namespace pliant::solvers
