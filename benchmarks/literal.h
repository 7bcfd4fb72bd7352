// The loop of the textbook over plain arrays. Its translation unit is compiled with flags of its own,
// so nothing here has an inline function that the linker could take from there for another unit.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pliant::benchmarks {

struct Float3 {
    float x, y, z;
};

struct LiteralDistance {
    std::uint32_t a, b;
    float rest_length;
};

struct LiteralVolume {
    std::uint32_t a, b, c, d;
    float rest_volume;
};

struct LiteralWorld {
    Float3* position;
    Float3* previous;
    Float3* velocity;
    const float* inverse_mass;
    std::size_t particle_count;
    const LiteralDistance* distances;
    std::size_t distance_count;
    const LiteralVolume* volumes;
    std::size_t volume_count;
    float distance_compliance;
    float volume_compliance;
    Float3 gravity;
    float time_step;
    int substeps;
};

void literal_frame(const LiteralWorld& world);

}  // namespace pliant::benchmarks
