// Membranes and hinges that are stiffer than a sweep carries: one linear solve per substep.
//
// One sweep carries load one edge far, so that neither the membrane nor the bending of fine cloth is stiffer
// than some ρ·d²/h² and ρ·d⁴/h². What is asked for beyond that is left to one Newton step of implicit Euler
// from the prediction x*, before all constraints:
//
//   (M + h²·K)·q = −h²·∇E(x*),   x = x* + q
//
//   bending    E = ½ Σ w·|C⃗ − c̄|², C⃗ = Σ kᵢ·xᵢ, w = B·|e|²/(A₁ + A₂) (constraints/bending/isometric.h). For
//              flat cloth c̄ = 0, and E is quadratic: K = Σ w·k·kᵀ is exact. A rest angle φ₀ has
//              c̄ = 2·sin(φ₀/2)·n, n: the mean of the normals, as if n did not change.
//   membrane   E as it is; K is a bound of its Hessian at rest that does not depend on directions in space,
//              Σ A·∇N·D·∇Nᵀ, D = diag(max(C_uu + C_uv, 2G), max(C_vv + C_uv, 2G)): the step is not too long.
//              ∇E is taken at x̂ = x* − a, before gravity and forces have moved particles by a, and K·a is
//              added. So at rest x̂ = x, and h²·∇E(x) = M·a holds, whatever K is.
//
// K is one matrix for x, y and z; it does not change when cloth moves, turns or folds: it is factorized once,
// and again only when other particles are held. Forces are internal: Σ m·q = 0. Constraints that the solve
// stands in for are left with no stiffness.
//
// The solve knows nothing of contact. A stiff sheet that lands on few particles would go on into what it
// lands on: each substep, contact stops these particles alone. So while a sheet touches something, it is left
// to sweeps, which carry what they can. So is large cloth: the cost of a solve grows with its width, and no
// factor has more than most_entries.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "constraints/membranes/triangle.h"
#include "model/model.h"
#include "solvers/position_based/coarse/skyline.h"

namespace pliant::solvers::position_based {

struct FabricHinge {
    std::array<std::uint32_t, 4> rows{};
    std::array<double, 4> k{};  // 1/m
    double weight = 0;  // |e|²/(A₁ + A₂), times the stiffness of this hinge over that of its part
    double rest = 0;    // 2·sin(φ₀/2)
};

struct FabricTriangle {
    std::array<std::uint32_t, 3> rows{};
    constraints::TriangleMembrane::Rest<double> rest{};
};

// Of one sheet. Rows are its particles in an order that keeps the factor small.
struct Fabric {
    std::vector<std::uint32_t> vertex_at;  // [row]: particle of the sheet; empty: there is no solve
    std::vector<std::uint32_t> row_of;     // [particle of the sheet]
    std::vector<double> masses;            // [row], kg, with what is tied to it
    std::vector<FabricTriangle> triangles;
    std::vector<FabricHinge> hinges;
    std::uint32_t bending_part = 0;  // of the hinges
    // Stiffness per 1/h² that a sweep carries, a mean: N/m·s² and N·m·s².
    double membrane_per_sweep = 0, bending_per_sweep = 0;
    SkylineLayout layout;

    bool empty() const { return vertex_at.empty(); }
    std::size_t rows() const { return vertex_at.size(); }
};

// masses: of each particle of the sheet.
Fabric make_fabric(const model::Model& model, const model::ClothSurface& surface,
                   const std::vector<double>& masses);

}  // namespace pliant::solvers::position_based
