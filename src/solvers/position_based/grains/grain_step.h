// The part of a substep that keeps grains apart.
//
//   list      pairs of grains that are at most c = 2r·(1 + margin) apart; again in each frame, and when two
//             grains may have come nearer to each other than the margin allows
//   activate  of those, pairs that touch in this substep, or nearly, or pushed each other in the last one;
//             with all that does not change while they are solved
//   continue  what pushed two grains apart in the last substep will in this: pairs begin with it, so that a
//             pile rests however high it is
//   colliders push grains out
//   solve     sweeps over pairs, in blocks of cells of eight colours:
//
//     n = d/|d|,  d = xₐ − x_b,  W = wₐ + w_b,  q = (xₐ − pₐ) − (x_b − p_b)      p: start of the substep
//     normal    N ← max(0, N + (t − |d|)/W),        t = min(rₐ + r_b, |pₐ − p_b|)
//     friction  T ← T − (q − n(n·q))/W, shortened to |T| ≤ μ·N
//     and of what came in fast, the share e of its speed goes back: t − |d| is at least −e·n·u − n·q, with u
//     as q without pushes
//     xₐ += wₐ·Δ(nN + T),  x_b −= w_b·Δ(nN + T)                                   push nN + T, kg·m
//
//   open      what still overlaps moves apart by a share of its overlap, x* with x: no velocity comes of it
//
// The pushes of the last substep of a frame are part of the state, lists are not.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <pliant/bounds.h>

#include "base/aligned.h"
#include "base/parallel.h"
#include "model/state.h"
#include "solvers/position_based/grains/grain_cells.h"
#include "solvers/position_based/grains/grain_plan.h"

namespace pliant::solvers::position_based {

struct GrainPair {
    std::uint32_t a = 0, b = 0;  // places
    float distance = 0;          // m, rₐ + r_b
    float friction = 0, restitution = 0;
    Vec3 push{};  // kg·m, on the first
};

// A pair that touches in this substep, or nearly.
struct ActivePair {
    std::uint32_t a = 0, b = 0;  // places
    std::uint32_t pair = 0;      // in the chunk's list
    float target = 0;            // m, t
    float per_mass = 0;          // 1/W
    float friction = 0, restitution = 0;
    Vec3 push{};  // kg·m, on the first
};

struct GrainWorkspace {
    bool is_listed = false;  // for this frame
    GrainCells cells;
    std::vector<Vec3> points;  // of each grain, where it is counted from the first one's origin
    // By place.
    AlignedVector<float> x, start, predicted;   // four floats each
    AlignedVector<float> before;                // x, before something moves it
    std::vector<Vec3> listed;                   // where it was when pairs were listed
    std::vector<std::vector<GrainPair>> pairs;  // of each chunk
    std::vector<std::vector<ActivePair>> active;
    std::vector<Bounds3> moved;  // of each piece of places: how they moved since pairs were listed
    // Pushes that go on, by first grain.
    std::vector<model::GrainContact> kept;
    std::vector<std::uint32_t> kept_first;
    std::vector<Vec3> shifts;  // of each body: from the first one's origin to its own
};

class GrainPass {
public:
    GrainPass(const model::Model& model, const Plan& plan, model::State& state, const Settings& settings,
              double substep, GrainWorkspace& workspace, Executor& executor);

    // At the start of a frame.
    void begin_frame();
    // Lists pairs if that is due, and pushes as in the last substep. Colliders come next.
    void begin();
    void solve(std::vector<std::uint8_t>& touched);
    void end_frame();

private:
    void gather();
    void gather_positions();
    void scatter();
    void activate();
    void sweep(bool backward);
    void open();
    void mark_touched(std::vector<std::uint8_t>& touched) const;
    bool is_list_enough();
    void list();
    void keep(std::span<const model::GrainContact> contacts);
    template <class F>
    void for_each_piece(const F& f);
    template <class F>
    void for_each_active(bool backward, const F& f);

    const model::Model& model_;
    const GrainPlan& grains_;
    model::State& state_;
    GrainWorkspace& workspace_;
    Executor& executor_;
    float resting_step_ = 0;  // m per substep: what approaches more slowly does not bounce
};

}  // namespace pliant::solvers::position_based
