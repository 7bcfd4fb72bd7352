// The rigid motion that takes a rest shape nearest to where its particles are.
#pragma once

#include <pliant/vector.h>

#include "base/rotation.h"

namespace pliant::solvers {

// Sums over particles for the rotation that fits the rest shape X best to x.
struct FitSums {
    double mass = 0;
    Vec3d now, rest;        // Σ m·x, Σ m·X
    Vec3d columns[3] = {};  // of Σ m·x·Xᵀ

    void add(const Vec3d& x, const Vec3d& X, double m);
    void add(const FitSums& other, double scale);
};

// The rest shape X is at center + turn·(X − rest_center).
struct RigidFit {
    UnitQuaternion turn{};
    Vec3d center{}, rest_center{};

    Vec3d place(const Vec3d& X) const { return center + rotate(turn, X - rest_center); }
};

RigidFit best_fit(const FitSums& sums);

}  // namespace pliant::solvers
