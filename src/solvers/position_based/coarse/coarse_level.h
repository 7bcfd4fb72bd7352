// The coarse level of solids: what is too stiff for a sweep over the elements.
//
// One sweep per substep carries load one element far. However stiff its material is, an element of volume V
// behaves at best like E ≈ 1/(V·A·h²), A = Σ w|∇N|²: about ρ·(d/h)² at an edge length of d. So a material is
// split in two that act side by side, and whose stiffnesses add up:
//
//   elements   E_f = min(E, 0.2/(V·A·h²)), by a lower bound of their compliance (block_projection.h)
//   boxes      E − E_f, solved directly
//
//      node ─── node ─── node      Boxes of about 8 edges lie over the rest shape. Their corners are nodes,
//        │ box   │  box  │         and displacements are trilinear between them: Φ.
//      node ─── node ─── node
//
// Boxes see of a motion x just the part that their nodes can have: the one that is next to it, weighed by
// mass, y = C⁻¹·Φᵀ·M·x with C = Φᵀ·M·Φ. Forces on nodes then are forces on particles, M·Φ·C⁻¹·f, which have a
// potential: no energy comes from nowhere, whatever a body fills of a box. (Strains that are measured on the
// particles themselves, but answered by the nodes alone, have none: boxes that are filled in part pump
// energy, and particles warp so that the strain vanishes.)
//
// Per substep, between prediction and projection: restrict (y), one Newton step of implicit Euler on the
// nodes,
//
//   (C + h²·Σ R·K·Rᵀ)·q = −h²·Σ R·K·(Rᵀ·y − X),
//
// with the stiffness K of each box (box_stiffness.h) and its rotation R; prolong (x += Φ·q).
//
// C has little to say of what a box cannot see, such as the twist of a thin leg in a wide box. Motions of a
// box's corners that are not affine get a ten-thousandth of its mass more, so that y stays near the
// particles.
//
// Particles that are held count a million times in C, so that nodes follow them and leave them where they
// are.
//
// Nodes are split by connectivity: tetrahedra that lie near but are not connected there have nodes of their
// own, on the same spot. Contact: see touching_particles.h.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned.h"
#include "model/model.h"
#include "solvers/position_based/coarse/box_forces.h"
#include "solvers/position_based/coarse/skyline.h"
#include "solvers/position_based/kernels.h"

namespace pliant::solvers::position_based {

struct Plan;

// What one body has of each list.
struct CoarseBody {
    std::uint32_t first_box = 0, boxes = 0;
    std::uint32_t first_node = 0, nodes = 0;
    std::uint32_t first_run = 0, runs = 0;
    std::uint32_t first_group = 0, groups = 0;
    std::uint32_t first_element = 0, elements = 0;
    std::uint32_t body = 0;                 // of the model
    std::uint32_t part = 0;                 // of its material
    bool has_elements = false;              // or springs
    Vec3d box_size;                         // m
    double viscosity = 0;                   // τ/h of its boxes, while it touches something
    SkylineLayout layout;                   // of its nodes, which are numbered along its longest side
    SkylineLayout values;                   // of their coordinates
    std::vector<double> mass, mass_factor;  // C in kg, by the layout of nodes
    std::vector<Vec3d> mean_gradients;      // of each node: Σ y ⊗ g is the mean deformation gradient, 1/m
};

struct CoarseLevel {
    static constexpr std::size_t corners = box_corners;

    std::vector<CoarseBody> bodies;
    std::vector<double> node_masses;   // Σ m·φ, kg
    std::vector<double> node_weights;  // the greatest on any particle

    // Boxes, or parts of them that are not connected.
    std::vector<std::array<std::uint32_t, corners>> box_nodes;
    std::vector<BoxGradients> box_gradients;  // in the middle of their tetrahedra
    std::vector<float> box_volumes;           // of their tetrahedra, m³
    std::vector<BoxStiffness> box_stiffnesses;

    std::vector<std::uint32_t> element_boxes;  // the box of each tetrahedron, body after body
    std::vector<float> element_stiffnesses;    // 1/(V·A), in Pa·s²
    std::vector<float> element_volumes;        // m³

    // Particles of one box, 16 at a time.
    std::vector<std::array<std::uint32_t, corners>> group_nodes;
    AlignedVector<std::uint32_t> group_offsets;  // [group][16], in bytes
    AlignedVector<float> group_coordinates;      // [group][axis][16], in the box, 0 … 1
    AlignedVector<float> group_masses;           // [group][16], kg
    std::vector<std::uint32_t> group_sizes;      // beyond it, a group repeats its first particle, with mass 0
    std::vector<GroupRun> runs;                  // of groups with the same nodes

    std::size_t boxes() const { return box_nodes.size(); }
    std::size_t nodes() const { return node_masses.size(); }
    bool empty() const { return bodies.empty(); }
};

// is_dynamic: of each particle.
CoarseLevel make_coarse_level(const model::Model& model, const Plan& plan,
                              std::span<const std::uint8_t> is_dynamic);

}  // namespace pliant::solvers::position_based
