#include "solvers/solver.h"

namespace pliant::solvers {

void step(const model::Model& model, const position_based::Plan& plan, model::State& state,
          const StepContext& context) {
    AllSolvers::for_each([&]<class Solver>() {
        if (Solver::has(context.settings.method)) Solver::step(model, plan, state, context);
    });
}

}  // namespace pliant::solvers
