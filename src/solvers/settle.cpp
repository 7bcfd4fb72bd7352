#include "solvers/settle.h"

#include <span>

#include "base/convert.h"
#include "solvers/motion_sums.h"
#include "solvers/position_based/workspace.h"

namespace pliant::solvers {
namespace {

using position_based::ParticleChunk;
using position_based::ParticleRange;

constexpr double rate = 12;           // 1/s
constexpr double slow_speed = 0.2;    // m/s
constexpr double rigid_speed = 0.03;  // m/s
constexpr double steepness = 3;       // full below two thirds of the slow speed

ParticleRange range_of(model::PositionBasedState& state, std::size_t first, std::size_t count) {
    ParticleRange range;
    range.particles = {state.position.data(), state.predicted.data(), state.displacement.data()};
    range.first = first;
    range.count = count;
    return range;
}

}  // namespace

void settle(const position_based::Plan& plan, model::PositionBasedState& state, const StepContext& context,
            double h) {
    position_based::Workspace& workspace = context.workspace;
    if (context.settings.contact_quality == ContactQuality::off) return;
    std::vector<double>& shares = workspace.settling;
    shares.assign(2 * plan.islands.size(), 0);  // then those of rigid motion
    const std::span rigid_shares = std::span(shares).subspan(plan.islands.size());
    for (std::size_t i = 0; i < plan.islands.size(); ++i) shares[i] = workspace.touched[i] ? 1 : 0;
    for (std::size_t c = 0; c < plan.chunks.size(); ++c) {
        if (workspace.contacts[c] != position_based::no_contact) shares[plan.chunks[c].island] = 1;
    }
    bool any = false;
    for (std::size_t i = 0; i < plan.islands.size(); ++i) {
        if (shares[i] == 0) continue;
        const position_based::IslandSlots& island = plan.islands[i];
        const double fastest = context.kernels.fastest(range_of(state, island.first, island.count)) / h;
        const bool settles = island.is_connected && fastest < slow_speed;
        shares[i] = settles ? min(rate * context.settings.time_step, 1.0) *
                                  min(steepness * (1 - fastest / slow_speed), 1.0)
                            : 0;
        any |= shares[i] > 0;
        rigid_shares[i] = shares[i] * max(1 - fastest / rigid_speed, 0.0);
    }
    if (!any) return;
    workspace.motion.begin(plan, state);
    context.executor.for_each(plan.chunks.size(), [&](std::size_t c) {
        const ParticleChunk& chunk = plan.chunks[c];
        if (shares[chunk.island] > 0)
            workspace.motion.add(context.kernels, range_of(state, chunk.first, chunk.count), c, chunk.island);
    });
    workspace.motion.total(plan);
    context.executor.for_each(plan.chunks.size(), [&](std::size_t c) {
        const ParticleChunk& chunk = plan.chunks[c];
        const double share = shares[chunk.island];
        const IslandMotion& motion = workspace.motion.of(chunk.island);
        if (!(share > 0) || !(motion.moments.mass > 0)) return;
        const RigidMotion rigid = rigid_motion(motion.moments);
        const Vec3d shift = rigid.linear + motion.reference - cross(rigid.spin, rigid.center);
        ParticleRange range = range_of(state, chunk.first, chunk.count);
        const double left = share - rigid_shares[chunk.island];
        give_motion(range, static_cast<float>(1 - share), shift * left, rigid.spin * left);
        context.kernels.add_motion(range);
    });
}

}  // namespace pliant::solvers
