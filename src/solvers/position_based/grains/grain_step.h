// The part of a substep that keeps grains apart (docs/theory/grains.md).
//
//   list      pairs of grains whose extents meet: radius + how far each may go before a new list is due. What
//             all have in common of their motion does not count. Pairs of a chunk of cells are packed into
//             blocks of 16 that share no grain
//   continue  what pushed two grains apart in the last substep will in this: pairs begin with it, so that a
//             pile rests however high it is
//   colliders push grains out
//   solve     sweeps over all pairs, there and back (grain_kernels.h); chunks have eight colours, and those
//   of
//             one colour share no grain
//
// A list lasts until a grain has used up its margin, over frames too. Saved are what it was made of and the
// pushes of the last substep of a frame.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <pliant/bounds.h>

#include "base/aligned.h"
#include "base/parallel.h"
#include "model/state.h"
#include "solvers/position_based/grains/grain_blocks.h"
#include "solvers/position_based/grains/grain_cells.h"
#include "solvers/position_based/grains/grain_plan.h"

namespace pliant::solvers::position_based {

struct GrainWorkspace {
    bool is_listed = false;  // as the state's list says, with pushes as its contacts say
    float substep = 0;       // s, that pushes are of
    GrainCells cells;
    std::vector<GrainBlocks> chunks;   // pairs
    std::vector<std::uint32_t> marks;  // of each grain, for GrainPacker
    AlignedVector<float> start;        // by slot: x at the start of the substep
    std::vector<Vec3d> sums;           // of each piece of grains
    std::vector<std::uint8_t> strays;  // of each piece of grains: whether one has used up its margin
    // Pushes that go on, by first grain.
    std::vector<model::GrainContact> kept;
    std::vector<std::uint32_t> kept_first;
    std::vector<Vec3> shifts;  // of each body: from the first grain's origin to its own
    GrainPairTraits traits{};  // of all pairs, where all grains are alike
};

struct Kernels;

class GrainPass {
public:
    GrainPass(const model::Model& model, const Plan& plan, model::State& state, const Settings& settings,
              double substep, const Kernels& kernels, GrainWorkspace& workspace, Executor& executor);

    // At the start of a frame.
    void begin_frame();
    // Lists pairs if that is due, and pushes as in the last substep. Colliders come next.
    void begin();
    void solve(std::vector<std::uint8_t>& touched);
    void end_frame();

private:
    Vec3 point(std::uint32_t grain) const;
    // Of f(grain) over all grains.
    template <class F>
    Vec3d mean_of(const F& f);
    bool is_list_enough();
    void find_extents();
    void list();
    void list_chunk(std::size_t chunk, std::uint32_t dummy);
    void give_traits(GrainPairTraits& traits, std::size_t lane, std::uint32_t a, std::uint32_t b) const;
    void find_starts();
    void keep();
    void mark_touched(std::vector<std::uint8_t>& touched) const;
    GrainRun run_of(std::size_t chunk) const;
    template <class F>
    void for_each_piece(const F& f);
    template <class F>
    void for_each_chunk(bool backward, const F& f);

    const model::Model& model_;
    const Plan& plan_;
    const GrainPlan& grains_;
    model::State& state_;
    const Kernels& kernels_;
    GrainWorkspace& workspace_;
    Executor& executor_;
    model::GrainList& list_;
    float resting_step_ = 0;  // m per substep: what approaches more slowly does not bounce
};

}  // namespace pliant::solvers::position_based
