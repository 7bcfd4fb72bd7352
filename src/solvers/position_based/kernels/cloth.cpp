#include "solvers/position_based/cloth/cloth_kernels.h"
#include "solvers/position_based/kernels/give.h"

namespace pliant::PLIANT_TARGET {

void give_cloth_kernels(Kernels& kernels) {
    kernels.pull_links = pull_links;
    kernels.tether_sheet = tether_sheet;
    kernels.carry_sheet = carry_sheet;
}

}  // namespace pliant::PLIANT_TARGET
