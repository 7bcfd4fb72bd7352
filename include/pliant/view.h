// What a running simulation shows: spans into its own memory, valid until its next step or change.
#pragma once

#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <cstdint>
#include <span>
#include <string>

namespace pliant {

struct BodyView {
    std::string name;
    std::uint32_t first_particle = 0, particle_count = 0;
    std::uint32_t first_triangle = 0, triangle_count = 0;
};

// Particles stand in the order of the description, body after body.
struct View {
    std::span<const Vec3> positions;      // m
    std::span<const Vec3> velocities;     // m/s
    std::span<const Triangle> triangles;  // surface of all bodies; indices into positions
    std::span<const BodyView> bodies;
    std::uint64_t frame = 0;
    double time = 0;  // s
};

struct Diagnostics {
    double kinetic_energy = 0;    // J
    double potential_energy = 0;  // J: gravity about the world's origin, and compliant constraints
    double total_energy = 0;      // J
    Vec3d momentum;               // kg·m/s
    Vec3d angular_momentum;       // kg·m²/s, about the world's origin
    double volume = 0;            // m³, of all tetrahedra
    double rest_volume = 0;       // m³
    // |C| over the rest length or volume (attachments: over the size of the body)
    double worst_constraint_error = 0;
    double mean_constraint_error = 0;
    std::uint64_t inverted_tetrahedra = 0;
    std::uint64_t repaired_particles = 0;  // since the start: had left the range of numbers
    std::uint64_t particles = 0;
    std::uint64_t constraints = 0;
};

}  // namespace pliant
