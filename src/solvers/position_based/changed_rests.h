// Rest values that changed while running, laid out as the clusters of a plan are.
#pragma once

#include "model/state.h"
#include "solvers/position_based/plan.h"
#include "solvers/position_based/workspace.h"

namespace pliant::solvers::position_based {

inline void pack_changed_rests(const model::Model& model, const Plan& plan, const model::State& state,
                               Workspace& workspace) {
    if (state.rest_changes == workspace.packed_changes) return;
    const model::Rests rests(model, state);
    AllClusters::for_each([&]<class Cluster>() {
        pack_rests(std::get<ClusterBlocks<Cluster>>(plan.clusters), rests,
                   std::get<ChangedRestBlocks<Cluster>>(workspace.rests).packed);
    });
    workspace.packed_changes = state.rest_changes;
}

}  // namespace pliant::solvers::position_based
