// The closed list of solvers: which one runs a method, and which kinds of constraints it can run.
#pragma once

#include <pliant/description.h>

#include "base/type_list.h"
#include "model/model.h"
#include "model/state.h"
#include "solvers/position_based/step.h"

namespace pliant::solvers {

struct PositionBased {
    static constexpr bool has(Method method) { return method == Method::xpbd || method == Method::pbd; }
    template <class Kind>
    static constexpr bool runs(Method method) {
        return method == Method::xpbd || (method == Method::pbd && Kind::runs_in_pbd);
    }
    static void step(const model::Model& model, const position_based::Plan& plan, model::State& state,
                     const StepContext& context) {
        position_based::step(model, plan, state, context);
    }
};

using AllSolvers = TypeList<PositionBased>;

// Whether a method can run constraints of that kind, in any solver.
template <class Kind>
constexpr bool can_run(Method method) {
    bool can = false;
    AllSolvers::for_each([&]<class Solver>() {
        if (Solver::has(method) && Solver::template runs<Kind>(method)) can = true;
    });
    return can;
}

// Advances the state by one frame, with the solver that has the method of the settings.
void step(const model::Model& model, const position_based::Plan& plan, model::State& state,
          const StepContext& context);

}  // namespace pliant::solvers
