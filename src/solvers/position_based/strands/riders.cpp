#include "solvers/position_based/strands/riders.h"

#include <algorithm>

#include "base/particle_layout.h"
#include "base/scalar.h"

namespace pliant::solvers::position_based {

std::vector<PlacedRider> place_riders(const model::Model& model, const std::vector<std::uint32_t>& slot_of) {
    const auto offset_of = [&](std::uint32_t particle) {
        return static_cast<std::uint32_t>(slot_of[particle] * floats_per_particle);
    };
    std::vector<PlacedRider> placed;
    for (const model::Rider& rider : model.riders) {
        const auto& [p, q, r] = rider.triangle;
        placed.push_back({offset_of(rider.particle),
                          {offset_of(p), offset_of(q), offset_of(r)},
                          rider.a,
                          rider.b,
                          rider.c});
    }
    return placed;
}

void carry_riders(const std::vector<PlacedRider>& riders, const ParticleArrays& particles,
                  Executor& executor) {
    constexpr std::size_t at_once = 512;
    executor.for_each((riders.size() + at_once - 1) / at_once, [&](std::size_t chunk) {
        const std::size_t end = std::min(riders.size(), (chunk + 1) * at_once);
        for (std::size_t i = chunk * at_once; i < end; ++i) {
            const PlacedRider& rider = riders[i];
            float* x = particles.position + rider.particle;
            if (x[3] > 0) continue;  // let go
            const auto corner = [&](std::size_t k) {
                const float* p = particles.position + rider.corners[k];
                return Vec3{p[0], p[1], p[2]};
            };
            const Vec3 origin = corner(0), e = corner(1) - origin, f = corner(2) - origin, n = cross(e, f);
            const float size = sqrt(dot(n, n));
            const Vec3 at = origin + e * rider.a + f * rider.b + n * (size > 0 ? rider.c / size : 0.0f);
            x[0] = at.x;
            x[1] = at.y;
            x[2] = at.z;
        }
    });
}

}  // namespace pliant::solvers::position_based
