// The order in which an incremental algorithm takes its points.
#pragma once

#include <pliant/vector.h>

#include <cstdint>
#include <span>
#include <vector>

namespace pliant::mesh {

// A biased randomized insertion order (Amenta, Choi, Rote 2003): rounds of random points, each eight times
// as large as the one before, and in a round along a Hilbert curve. Every point once, as its index.
std::vector<std::uint32_t> insertion_order(std::span<const Vec3d> points);

}  // namespace pliant::mesh
