// XPBD as it stands in the textbook, scalar and in the order given: what Pliant's speed is measured
// against. Written with care but without tricks; the compiler may do what it can (-O3, AVX2, FMA).
//
//     for every substep of h = Δt/n
//         v += h·g;  p = x;  x += h·v
//         all distances, then all volumes:  Δλ = −C / (Σ wᵢ|∇ᵢC|² + α/h²),  xᵢ += wᵢ·Δλ·∇ᵢC
//         v = (x − p)/h
#include "literal.h"

#include <math.h>

namespace pliant::benchmarks {
namespace {

inline Float3 operator+(Float3 a, Float3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Float3 operator-(Float3 a, Float3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Float3 operator*(Float3 a, float s) { return {a.x * s, a.y * s, a.z * s}; }
inline float dot(Float3 a, Float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Float3 cross(Float3 a, Float3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

void predict(const LiteralWorld& world, float h) {
    const Float3 velocity_change = world.gravity * h;
    for (std::size_t i = 0; i < world.particle_count; ++i) {
        if (world.inverse_mass[i] == 0) continue;
        world.velocity[i] = world.velocity[i] + velocity_change;
        world.previous[i] = world.position[i];
        world.position[i] = world.position[i] + world.velocity[i] * h;
    }
}

void project_distances(const LiteralWorld& world, float scaled_compliance) {
    Float3* x = world.position;
    const float* w = world.inverse_mass;
    for (std::size_t i = 0; i < world.distance_count; ++i) {
        const LiteralDistance& distance = world.distances[i];
        const float wa = w[distance.a], wb = w[distance.b];
        if (wa + wb == 0) continue;
        const Float3 difference = x[distance.a] - x[distance.b];
        const float length = sqrtf(dot(difference, difference));
        if (length == 0) continue;
        const Float3 gradient = difference * (1 / length);
        const float error = length - distance.rest_length;
        const float lambda = -error / (wa + wb + scaled_compliance);
        x[distance.a] = x[distance.a] + gradient * (wa * lambda);
        x[distance.b] = x[distance.b] - gradient * (wb * lambda);
    }
}

void project_volumes(const LiteralWorld& world, float scaled_compliance) {
    Float3* x = world.position;
    const float* w = world.inverse_mass;
    for (std::size_t i = 0; i < world.volume_count; ++i) {
        const LiteralVolume& volume = world.volumes[i];
        const Float3 a = x[volume.a], b = x[volume.b], c = x[volume.c], d = x[volume.d];
        const float wa = w[volume.a], wb = w[volume.b], wc = w[volume.c], wd = w[volume.d];
        const Float3 gradient_a = cross(d - b, c - b) * (1.0f / 6);
        const Float3 gradient_b = cross(c - a, d - a) * (1.0f / 6);
        const Float3 gradient_c = cross(d - a, b - a) * (1.0f / 6);
        const Float3 gradient_d = cross(b - a, c - a) * (1.0f / 6);
        const float weight = wa * dot(gradient_a, gradient_a) + wb * dot(gradient_b, gradient_b) +
                             wc * dot(gradient_c, gradient_c) + wd * dot(gradient_d, gradient_d);
        if (weight == 0) continue;
        const float error = dot(gradient_d, d - a) - volume.rest_volume;
        const float lambda = -error / (weight + scaled_compliance);
        x[volume.a] = a + gradient_a * (wa * lambda);
        x[volume.b] = b + gradient_b * (wb * lambda);
        x[volume.c] = c + gradient_c * (wc * lambda);
        x[volume.d] = d + gradient_d * (wd * lambda);
    }
}

void update_velocities(const LiteralWorld& world, float h) {
    const float rate = 1 / h;
    for (std::size_t i = 0; i < world.particle_count; ++i) {
        if (world.inverse_mass[i] == 0) continue;
        world.velocity[i] = (world.position[i] - world.previous[i]) * rate;
    }
}

}  // namespace

void literal_frame(const LiteralWorld& world) {
    const float h = world.time_step / static_cast<float>(world.substeps);
    for (int substep = 0; substep < world.substeps; ++substep) {
        predict(world, h);
        project_distances(world, world.distance_compliance / (h * h));
        project_volumes(world, world.volume_compliance / (h * h));
        update_velocities(world, h);
    }
}

}  // namespace pliant::benchmarks
