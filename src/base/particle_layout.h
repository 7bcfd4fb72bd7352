// How particles and constraints lie in memory. All code that touches them agrees on this.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pliant {

// A particle is four floats: x, y, z and the inverse mass w (0: it does not move). One load each.
inline constexpr std::size_t floats_per_particle = 4;
inline constexpr std::size_t bytes_per_particle = floats_per_particle * sizeof(float);

// Sixteen constraints that share no moving particle make a block, whatever the lane width, so that
// the order of all arithmetic, and with it every bit, is the same at any width.
inline constexpr std::size_t block_size = 16;

}  // namespace pliant
