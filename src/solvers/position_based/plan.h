// How position-based solvers run a model: where every particle is stored, and in which order and groups its
// constraints are projected. It follows from the topology alone, never from the number of threads.
//
//   particles    a body, cut across its breadth-first levels into subdomains
//
//                │ subdomain 0 │ subdomain 1 │ subdomain 2 │   …          work items run in parallel:
//                │ o──o──o──o──┼──o──o──o──o─┼─o──o──o──o  │              subdomains first,
//                │ │  │  │  │  │  │  │  │  │ │ │  │  │  │  │              an interface as soon as
//                │ o──o──o──o──┼──o──o──o──o─┼─o──o──o──o  │              both its sides are done
//                         interface 0   interface 1
//
//   memory       slots: [ subdomain 0, padded to 16 ][ subdomain 1, padded ] … [ dummies ]
//                a slot is four floats: x, y, z, w
//
//   clusters     constraints on the same few particles go through registers together; of each sort, the
//                clusters of a work item whose material parts are alike at the start are a run:
//
//                run    [ block ][ block ][ block ] … remainder
//                block  offsets  [arity][16]         16 clusters that share no dynamic particle,
//                       rests    [rest values][16]   whatever the width of the lanes
//                lanes  |0 1 2 3|4 5 6 7|8 9 …       4, 8 or 16 at once: the same bits
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "model/model.h"
#include "solvers/position_based/cloth/cloth_levels.h"
#include "solvers/position_based/cluster_blocks.h"
#include "solvers/position_based/coarse/coarse_level.h"
#include "solvers/position_based/contact/contact_plan.h"
#include "solvers/position_based/faces/face_plan.h"
#include "solvers/position_based/grains/grain_plan.h"
#include "solvers/position_based/strands/riders.h"
#include "solvers/position_based/strands/strand_set.h"
#include "solvers/position_based/tetrahedra/tetrahedron_blocks.h"

namespace pliant::solvers::position_based {

using constraints::AllClusters;

// The slots of an island.
struct IslandSlots {
    std::uint32_t first = 0, count = 0;  // multiples of 16
    // Five of its particles, evenly spread: the median of where they are is where the island is.
    std::array<std::uint32_t, 5> samples{};
    std::uint32_t particles = 0;
    float radius = 0;           // m, the largest of its particles'
    bool is_connected = false;  // constraints join all of its particles
    bool is_dynamic = false;    // and each of them may move
    bool is_thin = false;       // no triangles, no tetrahedra: ropes
};

// A fixed piece of a pass over particles, all of one island.
struct ParticleChunk {
    std::uint32_t first = 0, count = 0;
    std::uint32_t island = 0;
};

struct Plan {
    std::vector<std::uint32_t> particle_at;  // slot → particle, or Subdomains::padding
    std::vector<std::uint32_t> slot_of;      // particle → slot
    std::vector<std::uint8_t> is_dynamic;    // by slot: moves as far as colouring is concerned
    std::vector<float> radii;                // by slot
    // By slot: by how much a body's friction changes that of colliders, and its restitution. Empty where all
    // bodies have the default of both.
    std::vector<float> friction_shares, restitutions;
    std::vector<IslandSlots> islands;
    std::uint32_t subdomains = 0;
    // No constraint lies across an interface, all strands are in bundles, and nothing rides on another body.
    bool is_separable = false;
    std::vector<ParticleChunk> chunks;            // over slots, subdomain after subdomain
    std::vector<std::uint32_t> subdomain_chunks;  // of subdomain s: from subdomain_chunks[s] to [s + 1] − 1
    std::vector<ParticleChunk> view_chunks;       // over the particles that the user sees
    AllClusters::Each<ClusterBlocks> clusters;
    CoarseLevel coarse;
    ClothLevels cloth;
    StrandSet strands;
    std::vector<PlacedRider> riders;
    TetrahedronBlocks tetrahedra;
    ContactPlan contact;
    FacePlan faces;
    GrainPlan grains;

    std::size_t slots() const { return particle_at.size(); }
    // Of an array with four floats per slot, and the dummies behind them.
    std::size_t floats() const {
        return slots() * floats_per_particle + std::max(dummy_floats(subdomains), grains.dummy_floats());
    }
};

// is_dynamic: of each particle. Those that are not may be in several lanes of a block.
Plan make_plan(const model::Model& model, const std::vector<std::uint8_t>& is_dynamic);

}  // namespace pliant::solvers::position_based
