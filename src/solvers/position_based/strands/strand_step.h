// The part of an iteration that solves strands (strand_set.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned.h"
#include "base/parallel.h"
#include "model/state.h"
#include "solvers/position_based/kernels.h"
#include "solvers/position_based/strands/rope_net.h"
#include "solvers/position_based/strands/strand_set.h"

namespace pliant::solvers::position_based {

inline constexpr std::size_t softness_values = 3;  // α̃, α̃ per m, γ

struct StrandWorkspace {
    bool is_active = false;               // strands are solved directly in this frame
    AlignedVector<float> rests;           // [node][16], m; NaN: no link
    std::uint64_t packed_changes = 0;     // State::rest_changes that `rests` has, and one more
    AlignedVector<float> multipliers;     // [node][16]
    AlignedVector<float> softness;        // [group][3][16]: α̃, α̃ per m, γ
    std::vector<std::uint8_t> is_damped;  // of each group
    std::vector<std::uint8_t> is_rigid;   // of each tie
    std::vector<float> inverse_masses;    // of each tie's particle, while it is one with others
    AlignedVector<float> joints;          // [node][6][16], of rods: StrandRun::joints
    std::vector<float> joint_materials;   // of each rod, what `joints` was made from
    AlignedVector<float> moved;           // [node][3][16], of rods
    AlignedVector<float> scratch;         // of rods, and of groups that are too long for the stack
    std::vector<std::size_t> scratch_begins;
    std::vector<NetWorkspace> nets;     // of each group, if there are nets
    std::vector<float> chain_softness;  // [chain][3]
};

// softness, materials: of each material part.
void prepare_strands(const model::Model& model, const StrandSet& strands, model::State& state,
                     const Settings& settings, std::span<const Softness<float>> softness,
                     std::span<const model::MaterialValues> materials, StrandWorkspace& workspace);

struct StrandContext {
    const StrandSet& strands;
    const Kernels& kernels;
    model::PositionBasedState& state;
    StrandWorkspace& workspace;
};
struct StrandPass {
    bool is_first_iteration = true;  // of a substep
    bool is_first_substep = true;    // of a frame
};

// Move the positions to where all links have their lengths: of the bundles of a subdomain; of all others.
void solve_bundles(const StrandContext& context, std::size_t subdomain, const StrandPass& pass);
void solve_strands(const StrandContext& context, const StrandPass& pass, Executor& executor);

}  // namespace pliant::solvers::position_based
