#include "solvers/position_based/coarse/coarse_kernels.h"
#include "solvers/position_based/kernels/give.h"

namespace pliant::PLIANT_TARGET {

void give_coarse_kernels(Kernels& kernels) {
    kernels.restrict_groups = restrict_groups;
    kernels.factorize = factorize;
    kernels.solve_factor = solve_factor;
    kernels.strain_boxes = strain_boxes;
    kernels.prolong = prolong;
}

}  // namespace pliant::PLIANT_TARGET
