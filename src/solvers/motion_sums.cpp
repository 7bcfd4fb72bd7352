#include "solvers/motion_sums.h"

#include "base/convert.h"
#include "base/particle_layout.h"

namespace pliant::solvers {

using position_based::ParticleRange;
using position_based::Plan;

void MotionSums::begin(const Plan& plan, const model::PositionBasedState& state) {
    chunks_.assign(plan.chunks.size(), {});
    islands_.assign(plan.islands.size(), {});
    for (std::size_t i = 0; i < plan.islands.size(); ++i) {
        const float* u = state.displacement.data() + plan.islands[i].samples[2] * floats_per_particle;
        const Vec3d reference{u[0], u[1], u[2]};
        // Not a number, or no reasonable one: left to the repair at the end of the frame.
        if (dot(reference, reference) < 1e18) islands_[i].reference = reference;
    }
}

void MotionSums::refer(ParticleRange& range, std::uint32_t island) const {
    const Vec3 reference = to_float(islands_[island].reference);
    range.reference[0] = reference.x;
    range.reference[1] = reference.y;
    range.reference[2] = reference.z;
}

void MotionSums::add(const position_based::Kernels& kernels, ParticleRange range, std::size_t chunk,
                     std::uint32_t island) {
    refer(range, island);
    kernels.moments(range, chunks_[chunk].data());
}

void MotionSums::add_in_double(const position_based::Kernels& kernels, ParticleRange range, std::size_t chunk,
                               std::uint32_t island) {
    refer(range, island);
    kernels.moments_in_double(range, chunks_[chunk].data());
}

void MotionSums::total(const Plan& plan) {
    for (std::size_t c = 0; c < plan.chunks.size(); ++c) {
        const auto& s = chunks_[c];
        IslandMotion& island = islands_[plan.chunks[c].island];
        island.moments.add({s[0],
                            {s[1], s[2], s[3]},
                            {s[4], s[5], s[6]},
                            {s[7], s[8], s[9]},
                            s[10],
                            s[11],
                            s[12],
                            s[13],
                            s[14],
                            s[15]});
        island.dynamic += static_cast<std::uint32_t>(s[16]);
    }
}

void give_motion(ParticleRange& range, float keep, const Vec3d& shift, const Vec3d& spin) {
    const Vec3 a = to_float(shift), s = to_float(spin);
    range.keep = keep;
    range.shift[0] = a.x, range.shift[1] = a.y, range.shift[2] = a.z;
    range.spin[0] = s.x, range.spin[1] = s.y, range.spin[2] = s.z;
}

}  // namespace pliant::solvers
