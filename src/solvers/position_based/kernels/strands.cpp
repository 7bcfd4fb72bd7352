#include "solvers/position_based/kernels/give.h"
#include "solvers/position_based/strands/hair_kernels.h"
#include "solvers/position_based/strands/long_rope_kernels.h"
#include "solvers/position_based/strands/rod_kernels.h"
#include "solvers/position_based/strands/strand_kernels.h"

namespace pliant::PLIANT_TARGET {

void give_strand_kernels(Kernels& kernels) {
    kernels.solve_strands = solve_strands;
    kernels.solve_rods = solve_rods;
    kernels.solve_hair = solve_hair;
    kernels.solve_long_rope = solve_long_rope;
}

}  // namespace pliant::PLIANT_TARGET
