// What a box of the coarse level resists: the stiffness of the tetrahedra in it, for displacements that are
// trilinear between its corners.
//
// A tetrahedron of volume V at ξ in the box has the strain ε = ½·Σ (uₙ ⊗ ∇φₙ + ∇φₙ ⊗ uₙ) and the energy
// V·(μ·ε:ε + ½·λ·(tr ε)²). Trilinear boxes are too stiff in bending and torsion, in two ways that are old
// acquaintances:
//
//   shear      Where a box bends in the xy-plane, γ_xy varies along x and y though it should not. It is taken
//              from the middle of the box in x and y (assumed strains, MacNeal 1978; Dvorkin, Bathe 1984).
//              Along z it varies, as torsion wants it, but less: a square section that cannot warp is 1.19
//              times as stiff in torsion as one that can.
//   dilation   A box that bends cannot get narrower on one side and wider on the other: it would resist with
//              λ + 2μ instead of E. So only the share 1 − 2ν of λ acts on the dilation of each tetrahedron,
//              the rest on their mean: 2μ + (1 − 2ν)·λ = E.
#pragma once

#include <array>
#include <span>

#include "base/geometry/matrix3.h"

namespace pliant::solvers::position_based {

inline constexpr std::size_t box_corners = 8;               // corner c is at (c & 1, c >> 1 & 1, c >> 2)
inline constexpr std::size_t box_values = 3 * box_corners;  // [corner][axis]

// Trilinear weights at coordinates in a box, 0 … 1; beyond it they go on as they are.
std::array<double, box_corners> corner_weights(const Vec3d& at);
// Their gradients, for a box of that size (m), in 1/m.
std::array<Vec3d, box_corners> corner_gradients(const Vec3d& at, const Vec3d& size);

struct PointInBox {
    Vec3d coordinates;
    double volume = 0;  // m³
};

using BoxMatrix = std::array<float, box_values * box_values>;

// By μ = 1 Pa, and by λ = 1 Pa on the dilation of each tetrahedron and on their mean; in N/m.
struct BoxStiffness {
    BoxMatrix shear, dilation, mean_dilation;
};
// points: of the tetrahedra; size in m.
BoxStiffness box_stiffness(std::span<const PointInBox> points, const Vec3d& size);

// Of a material, for E = 1 Pa.
void combine(const BoxStiffness& stiffness, double poisson_ratio, double scale, std::span<double> result);

}  // namespace pliant::solvers::position_based
