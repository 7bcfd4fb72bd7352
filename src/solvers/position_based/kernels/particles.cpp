#include "solvers/position_based/air_kernels.h"
#include "solvers/position_based/kernels/give.h"
#include "solvers/position_based/motion_kernels.h"
#include "solvers/position_based/particle_kernels.h"
#include "solvers/position_based/tetrahedra/tetrahedron_kernels.h"

namespace pliant::PLIANT_TARGET {

void give_particle_kernels(Kernels& kernels) {
    kernels.apply_wind = apply_wind;
    kernels.begin = begin;
    kernels.finish = finish;
    kernels.finish_begin = finish_begin;
    kernels.collide = collide;
    kernels.collide_finish = collide_finish;
    kernels.in_range = in_range;
    kernels.fastest = fastest;
    kernels.moments = moments;
    kernels.moments_in_double = moments_in_double;
    kernels.add_motion = add_motion;
    kernels.bounds = bounds;
    kernels.is_within = is_within;
    kernels.output = output;
    kernels.count_inverted = count_inverted;
}

}  // namespace pliant::PLIANT_TARGET
