#include "solvers/position_based/kernels/give.h"

#define PLIANT_STRING_(s) #s
#define PLIANT_STRING(s) PLIANT_STRING_(s)

namespace pliant::PLIANT_TARGET {

Kernels make_kernels() {
    Kernels kernels{};
    kernels.name = PLIANT_STRING(PLIANT_TARGET);
    give_constraint_kernels(kernels);
    give_particle_kernels(kernels);
    give_coarse_kernels(kernels);
    give_cloth_kernels(kernels);
    give_strand_kernels(kernels);
    give_contact_kernels(kernels);
    give_face_kernels(kernels);
    give_grain_kernels(kernels);
    return kernels;
}

}  // namespace pliant::PLIANT_TARGET
