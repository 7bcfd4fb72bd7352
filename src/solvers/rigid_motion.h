// The rigid motion that has the momenta of many particles.
#pragma once

#include <pliant/vector.h>

namespace pliant::solvers {

// Sums over particles, about the island's origin. In double: they are differenced later.
struct Moments {
    double mass = 0;
    Vec3d first;                                            // Σ m·x
    Vec3d momentum;                                         // Σ m·u
    Vec3d angular;                                          // Σ x × m·u
    double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;  // Σ m·x·xᵀ

    void add(const Vec3d& x, const Vec3d& u, double m) {
        mass += m;
        first = first + x * m;
        momentum = momentum + u * m;
        angular = angular + cross(x, u) * m;
        xx += m * x.x * x.x, yy += m * x.y * x.y, zz += m * x.z * x.z;
        xy += m * x.x * x.y, xz += m * x.x * x.z, yz += m * x.y * x.z;
    }
    void add(const Moments& o) {
        mass += o.mass;
        first = first + o.first;
        momentum = momentum + o.momentum;
        angular = angular + o.angular;
        xx += o.xx, yy += o.yy, zz += o.zz, xy += o.xy, xz += o.xz, yz += o.yz;
    }
};

// The rigid motion u = linear + spin × (x − center) that has the same momenta.
struct RigidMotion {
    Vec3d center, linear, spin;

    Vec3d at(const Vec3d& x) const { return linear + cross(spin, x - center); }
};

// A body without extent across an axis (one particle, a straight line) gets no spin about it.
RigidMotion rigid_motion(const Moments& sums);

// About the centre of mass.
Vec3d angular_momentum(const Moments& sums);

// The spin that adds the angular momentum. A body that has next to no inertia about an axis gets next to none
// of it there.
Vec3d spin_that_adds(const Vec3d& angular_momentum, const Moments& sums);

}  // namespace pliant::solvers
