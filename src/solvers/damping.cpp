#include "solvers/damping.h"

#include <pliant/assertions.h>

namespace pliant::solvers {
namespace {

using model::PositionBasedState;
using position_based::ParticleChunk;

template <class F>
void for_each_dynamic(const PositionBasedState& state, const ParticleChunk& chunk, F&& f) {
    for (std::size_t i = chunk.first; i < chunk.first + chunk.count; ++i) {
        const float* x = state.position.data() + i * floats_per_particle;
        if (x[3] > 0) f(i * floats_per_particle, Vec3d{x[0], x[1], x[2]}, 1 / double(x[3]));
    }
}

}  // namespace

void damp_velocities(const position_based::Plan& plan, PositionBasedState& state, float k,
                     RigidMotionSums& sums, Executor& executor) {
    PLIANT_ASSERT(k >= 0 && k <= 1 && state.displacement.size() == plan.floats());
    // Sum each fixed chunk, then the chunks in order: the same bits at any number of threads.
    sums.of_chunks.assign(plan.chunks.size(), {});
    executor.for_each(plan.chunks.size(), [&](std::size_t c) {
        for_each_dynamic(state, plan.chunks[c], [&](std::size_t i, const Vec3d& x, double m) {
            const float* u = state.displacement.data() + i;
            sums.of_chunks[c].add(x, {u[0], u[1], u[2]}, m);
        });
    });
    sums.of_islands.assign(plan.islands.size(), {});
    for (std::size_t c = 0; c < plan.chunks.size(); ++c)
        sums.of_islands[plan.chunks[c].island].add(sums.of_chunks[c]);
    sums.motions.clear();
    for (const Moments& total : sums.of_islands) sums.motions.push_back(rigid_motion(total));

    executor.for_each(plan.chunks.size(), [&](std::size_t c) {
        const RigidMotion& motion = sums.motions[plan.chunks[c].island];
        for_each_dynamic(state, plan.chunks[c], [&](std::size_t i, const Vec3d& x, double) {
            float* u = state.displacement.data() + i;
            const Vec3d rigid = motion.at(x);
            u[0] = static_cast<float>(u[0] + k * (rigid.x - u[0]));
            u[1] = static_cast<float>(u[1] + k * (rigid.y - u[1]));
            u[2] = static_cast<float>(u[2] + k * (rigid.z - u[2]));
        });
    });
}

void drag_velocities(const position_based::Plan& plan, PositionBasedState& state, float k,
                     Executor& executor) {
    PLIANT_ASSERT(k >= 0 && k <= 1 && state.displacement.size() == plan.floats());
    executor.for_each(plan.chunks.size(), [&](std::size_t c) {
        for_each_dynamic(state, plan.chunks[c], [&](std::size_t i, const Vec3d&, double) {
            float* u = state.displacement.data() + i;
            for (int axis = 0; axis < 3; ++axis) u[axis] = u[axis] - k * u[axis];
        });
    });
}

}  // namespace pliant::solvers
