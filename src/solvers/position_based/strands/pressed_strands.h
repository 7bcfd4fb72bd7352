// Strands that other bodies or colliders hold up, or that lie around something under load.
//
// Contact moves particles one after the other, as if nothing held them together. That is right for a rope
// that lies on the floor, and wrong for one that carries a weight around an edge: there, contact and the
// strands' own solve undo each other. So a strand that touches something with some of its particles and not
// with all, or that contact would move by more than a small share of a segment, is solved once more, together
// with whatever is tied to it, other strands in reach of its contacts and all particles that they touch
// (pressed_solve.h). Then contact goes on as ever, with nothing left to do there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "collision/local_colliders.h"
#include "solvers/position_based/contact/contact_step.h"
#include "solvers/position_based/strands/pressed_solve.h"
#include "solvers/position_based/strands/strand_chains.h"
#include "solvers/position_based/strands/strand_step.h"

namespace pliant::solvers {
struct StepContext;
}

namespace pliant::solvers::position_based {

struct PressWorkspace {
    bool is_prepared = false, any = false;  // any: some strand may press
    StrandChains chains;
    std::vector<double> spacings;  // of each chain, m: its mean segment
    std::vector<PressRow> rows;
    std::vector<std::uint32_t> sets;       // of each row: one of its sets
    std::vector<std::uint32_t> set_of;     // of each set: another of its group, in the end the lowest
    std::vector<std::uint8_t> is_pressed;  // of each set
    std::vector<std::uint32_t> touching;   // of each set: how many of its particles touch something
    std::vector<std::uint32_t> point_at;   // by slot, or no_link
    collision::LocalColliders near;
    PressSystem system;
};

void prepare_pressed_strands(const model::Model& model, const Plan& plan, const StrandWorkspace& strands,
                             PressWorkspace& workspace);
// In a substep of h seconds, when it is known what touches.
void solve_pressed_strands(const model::Model& model, const Plan& plan, model::State& state,
                           const StepContext& context, double h);

}  // namespace pliant::solvers::position_based
