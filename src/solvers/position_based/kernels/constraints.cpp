#include "solvers/position_based/constraint_kernels.h"
#include "solvers/position_based/kernels/give.h"

namespace pliant::PLIANT_TARGET {

static constexpr Kernels with_projections() {
    Kernels kernels{};
    std::size_t sort = 0;
    constraints::AllClusters::for_each([&]<class Cluster>() {
        unroll<projection_forms>([&](auto form) {
            // Elements are never rigid.
            constexpr ProjectionForm needed = Cluster::rows > Cluster::stages && form == 0
                                                  ? ProjectionForm::single
                                                  : static_cast<ProjectionForm>(form.value);
            kernels.project[sort][form] = project<Cluster, needed>;
        });
        ++sort;
    });
    return kernels;
}

void give_constraint_kernels(Kernels& kernels) {
    static constexpr Kernels projections = with_projections();
    for (std::size_t sort = 0; sort < constraints::AllClusters::size; ++sort) {
        for (std::size_t form = 0; form < projection_forms; ++form)
            kernels.project[sort][form] = projections.project[sort][form];
    }
}

}  // namespace pliant::PLIANT_TARGET
