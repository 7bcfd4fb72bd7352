// Colours: of bodies, and of values.
#pragma once

#include <pliant/output/picture.h>

#include <cstddef>

namespace pliant::output {

// Colours that go together, repeated after the last.
Color body_color(std::size_t body);

// From dark violet at 0 over green to yellow at 1: evenly brighter all the way, also for the colour-blind
// (the map "viridis" by van der Walt and Smith, here between nine of its colours).
Color value_color(double share);

}  // namespace pliant::output
