// The moments of every island, summed over its fixed chunks in order: the same bits at any number of threads.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/state.h"
#include "solvers/position_based/kernels.h"
#include "solvers/position_based/plan.h"
#include "solvers/rigid_motion.h"

namespace pliant::solvers {

struct IslandMotion {
    Moments moments;            // with u less the reference
    Vec3d reference;            // a displacement of the island: the rest of u keeps its digits in a float
    std::uint32_t dynamic = 0;  // particles that move
};

class MotionSums {
public:
    // Before chunks are summed. The displacements are those that will be, or were a moment ago.
    void begin(const position_based::Plan& plan, const model::PositionBasedState& state);
    // One chunk, on any thread.
    void add(const position_based::Kernels& kernels, position_based::ParticleRange range, std::size_t chunk,
             std::uint32_t island);
    void add_in_double(const position_based::Kernels& kernels, position_based::ParticleRange range,
                       std::size_t chunk, std::uint32_t island);
    // When all that are of interest are summed.
    void total(const position_based::Plan& plan);

    const IslandMotion& of(std::size_t island) const { return islands_[island]; }

private:
    void refer(position_based::ParticleRange& range, std::uint32_t island) const;

    std::vector<std::array<double, position_based::moment_count>> chunks_;
    std::vector<IslandMotion> islands_;
};

// The motion u = shift + spin×x, in a range.
void give_motion(position_based::ParticleRange& range, float keep, const Vec3d& shift, const Vec3d& spin);

}  // namespace pliant::solvers
