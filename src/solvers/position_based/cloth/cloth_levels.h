// Levels of cloth: what holds its size at any resolution.
//
// One sweep per substep carries load one edge far, so that a fine cloth behaves like rubber, however stiff
// its edges are. Cloth cannot be stretched, but folds freely; so two of its particles are never further apart
// than along the cloth at rest. Between prediction and projection that is seen to in two ways, which act only
// where the cloth is stretched:
//
//   tethers  come first. They join each particle with what holds the cloth: particles that are pinned or in a
//            hand, targets of rigid attachments (tethers.h).
//   links    join nodes, particles about 5 (15, 45, …) edges apart, or 3 (8, 23, …) of large cloths, with
//   their
//            neighbours up to two spacings
//            away. Coarsest level first, one sweep there and one back; what they move nodes by goes on to the
//            next finer level and at last to all particles, by weights φ that reproduce linear fields. More
//            sweeps are no better: what is left is for the edges themselves.
//   patches  where much hangs on few particles: all particles there are nodes, with four sweeps over their
//   edges.
//
//      ●───────────●           nodes carry the mass around them, mₙ = Σ φₙ(i)·mᵢ: momentum stays
//      │ ╲       ╱ │
//      │   · x ·   │           x += Σ φₙ·qₙ,  q = how far the level moved its nodes
//      │ ╱       ╲ │
//      ●───────────●
//
// Nodes are chosen farthest first: each is the particle that is farthest from all before it, along the cloth.
// So the nodes of a level are the first of those of the next finer one, whatever the mesh. Distances along
// the cloth are never shorter than what the fine mesh allows, whether it is flat, a tube or a sphere. Nothing
// goes across a seam. What is tied to the cloth rigidly goes with it, and its mass counts.
//
// Nodes whose particles touched something at the end of the last substep do not go into it, and friction
// holds them: without that, what lies on an obstacle would be pulled through it and pushed back, and never
// carry.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned.h"
#include "mesh/geometry/surface_distance.h"
#include "model/model.h"
#include "solvers/position_based/cloth/fabric.h"
#include "solvers/position_based/kernels.h"

namespace pliant::solvers::position_based {

struct Plan;

// Targets, 16 at a time, and the nodes that they go with.
struct NodeWeights {
    std::size_t targets = 0;
    AlignedVector<std::uint32_t> offsets;  // [block][16], in bytes
    AlignedVector<std::uint32_t> nodes;    // [block][4][16], in bytes
    AlignedVector<float> weights;          // [block][4][16]
};

// Links of one level, colour by colour: those of a colour share no node. Empty lanes join a dummy node of
// the colour's own, behind all nodes, with itself.
struct NodeLinks {
    AlignedVector<std::uint32_t> offsets;  // [block][2][16], in bytes
    AlignedVector<float> lengths;          // [block][16], m
    std::vector<std::uint32_t> colours;    // of colour c: blocks colours[c] … colours[c + 1] − 1

    std::size_t colour_count() const { return colours.empty() ? 0 : colours.size() - 1; }
};

struct ClothLevel {
    std::vector<std::uint32_t> slots;     // of each node's particle
    std::vector<std::uint32_t> vertices;  // of the sheet, the same
    std::vector<float> inverse_masses;    // 1/kg, of each node
    NodeLinks links;
    NodeWeights weights;  // of the nodes of the next finer level, or of all particles

    std::size_t nodes() const { return slots.size(); }
    std::size_t floats() const { return 4 * (nodes() + links.colour_count()); }
};

// A particle that goes with a sheet: one of its own, by slot, or, after them, one that is tied to it.
struct ClothTarget {
    std::uint32_t vertex = 0;  // of the sheet
    std::uint32_t particle = 0;
};

struct ClothSheet {
    std::uint32_t first_particle = 0, particles = 0;
    std::uint32_t part = 0;  // of its stretch
    MembraneModel model = MembraneModel::links;
    float mean_inverse_mass = 0;     // 1/kg, of its particles
    mesh::Surface surface;           // vertices count its particles
    std::vector<ClothLevel> levels;  // the finest first; none if it is small
    // Its nodes are all particles near those that are held or have something tied to them, its links edges.
    ClothLevel patch;
    std::vector<ClothTarget> targets;
    AlignedVector<std::uint32_t> target_offsets;  // [target], in bytes; a multiple of 16
    // Its particles with an attachment to a point of the world: {particle of the sheet, anchor, part}.
    std::vector<std::array<std::uint32_t, 3>> attachments;
    Fabric fabric;  // solved at once, where it is stiff
};

struct ClothLevels {
    std::vector<ClothSheet> sheets;
    bool empty() const { return sheets.empty(); }
};

// is_dynamic: of each particle. Those that are held are nodes, if not too near each other.
ClothLevels make_cloth_levels(const model::Model& model, const Plan& plan,
                              std::span<const std::uint8_t> is_dynamic);

}  // namespace pliant::solvers::position_based
