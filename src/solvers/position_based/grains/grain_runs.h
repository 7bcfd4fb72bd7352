// What the kernels of grains are given. Plain pointers and numbers: see kernels.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/particle_layout.h"

namespace pliant::solvers::position_based {

// Of each pair; one row of 16 for all blocks where all grains are alike.
struct GrainPairTraits {
    alignas(64) float distance[block_size];     // m, rₐ + r_b
    alignas(64) float friction[block_size];     //
    alignas(64) float restitution[block_size];  //
    alignas(64) float shift[3][block_size];     // m, from the origin of b's island to that of a's
};

// Blocks of 16 pairs that share no grain.
struct GrainRun {
    float* position = nullptr;               // x, w, by slot
    float* predicted = nullptr;              // x*
    float* start = nullptr;                  // p: x at the start of the substep
    const std::uint32_t* offsets = nullptr;  // [block][2][16], byte offsets of slots
    float* pushes = nullptr;                 // [block][3][16], m
    const GrainPairTraits* traits = nullptr;
    std::size_t traits_stride = 0;  // 0: one for all blocks
    std::size_t blocks = 0;
    float resting_step = 0;  // m per substep: what approaches more slowly does not bounce
    bool is_shifted = false, bounces = false, opens = false, is_backward = false;
};

}  // namespace pliant::solvers::position_based
