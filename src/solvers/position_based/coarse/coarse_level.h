// The coarse level of solids: what is too stiff for a sweep over the elements.
//
// One sweep per substep carries load one element far. However stiff its material is, an element of volume V
// behaves at best like E ≈ 1/(V·A·h²), A = Σ w|∇N|²: about ρ·(d/h)² at an edge length of d. So a material is
// split in two that act side by side, and whose stiffnesses add up:
//
//   elements      E_f = min(E, 0.2/(V·A·h²)), by a lower bound of their compliance (block_projection.h)
//   coarse cells  E_c = min(E − E_f, ½·sweeps/(cells of a box·V_c·A_c·h²))
//
//      node ─── node ─── node      Boxes of 8 (or 4) edges over the rest shape have displacements q at their
//        │ c │ c │ c │ c │         corners, trilinear between them. Each is cut in 2×2×2 cells (three across
//        a body │───┼───│───┼───│         that is one box thick) with one deformation gradient each, the mean
//        of its │ c │ c │ c │ c │         tetrahedra's:
//      node ─── node ─── node      F = F_c + Σ qₙ ⊗ gₙ,   F_c = Σ xᵢ ⊗ Gᵢ  over the particles on the cell's
//      border
//
// Per substep, between prediction and projection: restrict (F_c of the predicted positions), a few sweeps of
// ARAP over the cells with the nodes as particles, prolong (xᵢ += Σ φₙ·qₙ). The rotation R of a cell is that
// of F_c, and its strain the symmetric part of RᵀF − 1, so that q may turn it. Multipliers are kept from
// sweep to sweep, as a symmetric strain, not beyond.
//
// Nodes are split by connectivity: tetrahedra that lie near but are not connected there have nodes of their
// own, on the same spot.
//
// Contact: nodes go by the mean of the particles around them that touched at the end of the last substep.
// They do not go into the surface, and friction holds them along it; without that, the particles' own
// friction would tear at what the level moves, and pump energy. What friction leaves of the load counts for
// the particles' own.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned.h"
#include "model/model.h"

namespace pliant::solvers::position_based {

struct Plan;

// What one body has of each list.
struct CoarseBody {
    std::uint32_t first_box = 0, boxes = 0;
    std::uint32_t first_cell = 0, cells = 0;
    std::uint32_t first_node = 0, nodes = 0;
    std::uint32_t first_group = 0, groups = 0;
    std::uint32_t first_element = 0, elements = 0;
    std::uint32_t body = 0;  // of the model
    std::uint32_t part = 0;  // of its material
    int sweeps = 8;
};

struct CoarseLevel {
    static constexpr std::size_t corners = 8;  // corner c is at (c & 1, c >> 1 & 1, c >> 2)

    std::vector<CoarseBody> bodies;
    std::vector<float> node_inverse_masses;  // 1/kg; 0: held

    // Boxes, or parts of them that are not connected: their nodes, and where their cells begin.
    std::vector<std::array<std::uint32_t, corners>> box_nodes;
    std::vector<std::uint32_t> box_cells;  // of box b: box_cells[b] … box_cells[b + 1] − 1

    AlignedVector<float> cell_gradients;  // [cell][axis][corner], gₙ in 1/m
    std::vector<float> cell_volumes;      // m³
    std::vector<float> cell_mass_terms;   // A_c = Σ|gₙ|²/mₙ

    // Gᵢ of the particles on the borders of cells, in blocks of 16.
    std::vector<std::uint32_t> cell_terms;      // of cell c: blocks cell_terms[c] … cell_terms[c + 1] − 1
    AlignedVector<std::uint32_t> term_offsets;  // [block][16], in bytes
    AlignedVector<float> term_gradients;        // [block][axis][16], 1/m

    std::vector<std::uint32_t> element_cells;  // the cell of each tetrahedron, body after body
    std::vector<float> element_stiffnesses;    // 1/(V·A), in Pa·s²
    std::vector<float> element_volumes;        // m³

    // Particles of one box, 16 at a time.
    std::vector<std::array<std::uint32_t, corners>> group_nodes;
    AlignedVector<std::uint32_t> group_offsets;  // [group][16], in bytes
    AlignedVector<float> group_coordinates;      // [group][axis][16], in the box, 0 … 1
    std::vector<std::uint32_t> group_sizes;      // beyond it, a group repeats its first particle

    std::size_t cells() const { return cell_volumes.size(); }
    std::size_t nodes() const { return node_inverse_masses.size(); }
    bool empty() const { return bodies.empty(); }
};

// is_dynamic: of each particle.
CoarseLevel make_coarse_level(const model::Model& model, const Plan& plan,
                              std::span<const std::uint8_t> is_dynamic);

}  // namespace pliant::solvers::position_based
