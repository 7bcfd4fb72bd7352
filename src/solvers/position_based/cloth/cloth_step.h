// The part of a substep that holds the size of cloth (cloth_levels.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned.h"
#include "base/parallel.h"
#include "model/state.h"
#include "solvers/position_based/cloth/cloth_levels.h"
#include "solvers/position_based/cloth/fabric_step.h"
#include "solvers/position_based/cloth/tethers.h"
#include "solvers/position_based/kernels.h"

namespace pliant::solvers::position_based {

// A node whose particle touched something at the end of the last substep.
struct TouchingNode {
    std::uint32_t node = 0;
    Vec3 normal, start;  // start: where the node would go
    Vec3 step;           // m, how far that is in this substep, seen from the surface
    float friction = 0;  // coefficient
    float pushed = 0;    // m, so far: never pulls
    Vec3 dragged{};      // m, so far, along the surface: at most friction × pushed
};

struct ClothLevelWorkspace {
    AlignedVector<float> nodes;  // [node][4]: position, inverse mass; then dummies
    AlignedVector<float> moves;  // [node][4]: how far the level moves them; what friction left of a push
    AlignedVector<float> multipliers;  // [block][16], of links
    std::vector<TouchingNode> touching;
    std::vector<std::uint32_t> holders;  // of each node: the slot of its particle, or of what holds it
};

struct SheetWorkspace {
    bool is_active = false;
    bool has_new_rests = false;  // someone changed rest lengths of its edges: levels know nothing of them
    float compliance = 0;        // α̃ of links
    float allowed = 1;           // of their lengths and of those of tethers, before they act
    std::vector<HeldParticle> held, held_now;
    std::vector<Tethers> tethers;
    // [node of the finest level][4]: where their particles are, once tethers have pulled, and inverse masses
    AlignedVector<float> starts;
    AlignedVector<std::uint32_t> start_offsets;  // [node], in bytes
    std::vector<ClothLevelWorkspace> levels;
    ClothLevelWorkspace patch;
    FabricWorkspace fabric;
};

struct ClothWorkspace {
    bool any_active = false;
    bool is_prepared = false;
    std::uint64_t rest_changes = 0;  // State::rest_changes that has_new_rests has
    std::vector<SheetWorkspace> sheets;
};

// At the start of a frame: which sheets need levels, and what holds them. Parts that are solved at once lose
// their softness' stiffness.
void prepare_cloth(const model::Model& model, const Plan& plan, const model::State& state,
                   const Settings& settings, std::span<const model::MaterialValues> materials, double substep,
                   std::span<Softness<float>> softness, ClothWorkspace& workspace);

// Moves the predicted positions to where no sheet is stretched, as far as levels and tethers see it.
// contacts: of the state, null without colliders.
void solve_cloth(const ClothLevels& levels, std::span<const model::MaterialValues> materials,
                 const Kernels& kernels, const ParticleArrays& particles, const ContactArrays& contacts,
                 const FabricLoad& load, ClothWorkspace& workspace, Executor& executor);

}  // namespace pliant::solvers::position_based
