// Each file of this folder is compiled once per instruction set, in a namespace named after it
// (base/lanes.h), and gives the table of kernels its entries. Several files, so that a change of one topic
// compiles that topic alone.
#pragma once

#include "solvers/position_based/kernels.h"

namespace pliant::PLIANT_TARGET {

using solvers::position_based::Kernels;

void give_constraint_kernels(Kernels& kernels);
void give_particle_kernels(Kernels& kernels);
void give_coarse_kernels(Kernels& kernels);
void give_cloth_kernels(Kernels& kernels);
void give_strand_kernels(Kernels& kernels);
void give_contact_kernels(Kernels& kernels);
void give_face_kernels(Kernels& kernels);
void give_grain_kernels(Kernels& kernels);

}  // namespace pliant::PLIANT_TARGET
