#include "solvers/momentum.h"

#include "base/convert.h"

namespace pliant::solvers {

using position_based::KeptMomentum;
using position_based::ParticleChunk;
using position_based::ParticleRange;
using position_based::Plan;

MomentumKeeper::MomentumKeeper(const Plan& plan, model::PositionBasedState& state, const StepContext& context)
    : plan_(plan), state_(state), context_(context), workspace_(context.workspace) {}

ParticleRange MomentumKeeper::range_of(const ParticleChunk& chunk) const {
    ParticleRange range;
    range.particles = {state_.position.data(), state_.predicted.data(), state_.displacement.data()};
    range.first = chunk.first;
    range.count = chunk.count;
    return range;
}

void MomentumKeeper::sum() {
    workspace_.motion.begin(plan_, state_);
    context_.executor.for_each(plan_.chunks.size(), [&](std::size_t c) {
        const ParticleChunk& chunk = plan_.chunks[c];
        if (!workspace_.kept_momenta[chunk.island].is_free) return;
        // A rope of many links turns so much about itself that rounded sums show; a solid's do not, and it
        // has far more particles to sum.
        if (plan_.islands[chunk.island].is_thin)
            workspace_.motion.add_in_double(context_.kernels, range_of(chunk), c, chunk.island);
        else
            workspace_.motion.add(context_.kernels, range_of(chunk), c, chunk.island);
    });
    workspace_.motion.total(plan_);
}

void MomentumKeeper::begin() {
    auto& kept = workspace_.kept_momenta;
    kept.assign(plan_.islands.size(), {});
    const Settings& settings = context_.settings;
    if (!settings.keep_momentum || settings.air_density > 0 || !state_.forces.empty()) return;
    bool any = false;
    for (std::size_t i = 0; i < kept.size(); ++i) {
        kept[i].is_free = plan_.islands[i].is_connected && plan_.islands[i].is_dynamic;
        any |= kept[i].is_free;
    }
    if (!any) return;
    sum();
    for (std::size_t i = 0; i < kept.size(); ++i) {
        if (!kept[i].is_free) continue;
        const IslandMotion& motion = workspace_.motion.of(i);
        kept[i].is_free = motion.dynamic == plan_.islands[i].particles;
        kept[i].linear = motion.moments.momentum * (1 / motion.moments.mass) + motion.reference;
        kept[i].angular = angular_momentum(motion.moments);
    }
}

void MomentumKeeper::end(int substeps, const Vec3d& gravity_step, double drag) {
    auto& kept = workspace_.kept_momenta;
    for (std::size_t c = 0; c < plan_.chunks.size(); ++c) {
        if (workspace_.contacts[c] != position_based::no_contact)
            kept[plan_.chunks[c].island].is_free = false;
    }
    for (std::size_t i = 0; i < kept.size(); ++i) kept[i].is_free &= !workspace_.touched[i];
    bool any = false;
    for (const KeptMomentum& one : kept) any |= one.is_free;
    if (!any) return;
    sum();
    context_.executor.for_each(plan_.chunks.size(), [&](std::size_t c) {
        const ParticleChunk& chunk = plan_.chunks[c];
        const KeptMomentum& one = kept[chunk.island];
        if (!one.is_free) return;
        Vec3d linear = one.linear, angular = one.angular;
        for (int i = 0; i < substeps; ++i) {
            linear = (linear + gravity_step) * (1 - drag);
            angular = angular * (1 - drag);
        }
        const IslandMotion& motion = workspace_.motion.of(chunk.island);
        const Moments& m = motion.moments;
        const Vec3d center = m.first * (1 / m.mass), now = m.momentum * (1 / m.mass) + motion.reference;
        const Vec3d spin = spin_that_adds(angular - angular_momentum(m), m);
        ParticleRange range = range_of(chunk);
        give_motion(range, 1, linear - now - cross(spin, center), spin);
        context_.kernels.add_motion(range);
    });
}

}  // namespace pliant::solvers
