#include "solvers/position_based/grains/grain_kernels.h"
#include "solvers/position_based/kernels/give.h"

namespace pliant::PLIANT_TARGET {

void give_grain_kernels(Kernels& kernels) {
    kernels.push_grains = push_grains;
    kernels.sweep_grains = sweep_grains;
}

}  // namespace pliant::PLIANT_TARGET
