#include "solvers/position_based/correction_limits.h"

#include <variant>

#include "base/scalar.h"
#include "collision/local_colliders.h"
#include "solvers/rescue.h"

namespace pliant::solvers::position_based {
namespace {

constexpr double moment = 0.5;      // s
constexpr double slow_seconds = 1;  // after it came out of a collider
constexpr double slow_share = 0.5;  // of the correction speed, until then

// A collider that goes away from an island pushes nothing in it.
bool approaches(const Collider& from, const ColliderShape& to, const Vec3d& origin) {
    return collision::visit_shape(from.shape, [&]<class Kind>(const typename Kind::Shape& a) {
        const auto& b = std::get<typename Kind::Shape>(to);
        if constexpr (requires { Kind::deformation(a, b); }) {
            if (Kind::deformation(a, b) > 0) return true;
        }
        const auto distance = [&](const auto& shape) {
            typename Kind::Local local = Kind::localize(shape, origin);
            local.inverted = from.inverted;
            return collision::contact_with<Kind>(local, Vec3d{}, Vec3d{}, 0.0).distance;
        };
        const Vec3d turn = Kind::turn(a, b);
        return dot(turn, turn) > 0 || distance(b) < distance(a);
    });
}

double allowed_speed(const model::Island& island, const Settings& settings, bool is_slow) {
    return settings.correction_speed * island.extent * (is_slow ? slow_share : 1);
}

float limited_step(double speed, double h) {
    return static_cast<float>(min(speed * h, double(number_limit)));
}

}  // namespace

void limit_corrections(const model::Model& model, const Plan& plan, model::State& state,
                       const StepContext& context, double h) {
    const Settings& settings = context.settings;
    Workspace& workspace = context.workspace;
    workspace.max_corrections.assign(plan.islands.size(), number_limit);
    workspace.contacts.assign(plan.chunks.size(), no_contact);
    for (std::size_t i = 0; i < plan.islands.size(); ++i) {
        const model::Island& island = model.islands[i];
        if (!island.is_soft) continue;
        const bool is_slow = state.time < state.came_out[i] + slow_seconds;
        const double allowed = allowed_speed(island, settings, is_slow);
        ParticleRange range;
        range.particles.displacement = state.position_based.displacement.data();
        range.first = plan.islands[i].first;
        range.count = plan.islands[i].count;
        double& recent = state.recent_speeds[i];
        const double now = bounce_speed(model, state, i, context.kernels.fastest(range) / h, h);
        recent = max(now, recent * (moment / (moment + settings.time_step)));
        for (const model::MovedCollider& moved : state.moved_colliders) {
            const Collider& collider = state.colliders[moved.collider];
            if (!approaches(collider, moved.target, state.origins[i])) continue;
            const double way = collision::motion_between(collider.shape, moved.target, island.extent);
            recent = max(recent, way / settings.time_step);
        }
        workspace.max_corrections[i] = limited_step(max(allowed, recent), h);
    }
}

void slow_what_came_out(const model::Model& model, const Plan& plan, model::State& state,
                        const StepContext& context, double h) {
    if (state.colliders.empty()) return;
    Workspace& workspace = context.workspace;
    for (std::size_t c = 0; c < plan.chunks.size(); ++c) {
        const std::uint32_t i = plan.chunks[c].island;
        if (!(workspace.contacts[c] & came_out) || !model.islands[i].is_soft) continue;
        state.came_out[i] = state.time;
        const double allowed = allowed_speed(model.islands[i], context.settings, true);
        workspace.max_corrections[i] =
            min(workspace.max_corrections[i], limited_step(max(allowed, state.recent_speeds[i]), h));
    }
}

void rescale_displacements(model::PositionBasedState& particles, double h) {
    if (particles.substep != static_cast<float>(h) && particles.substep > 0) {
        const float scale = static_cast<float>(h / particles.substep);
        for (float& u : particles.displacement) u *= scale;
        for (float& tension : particles.tensions) tension *= scale * scale;
        for (model::GrainContact& contact : particles.grain_contacts)
            contact.push = contact.push * (scale * scale);
    }
    particles.substep = static_cast<float>(h);
}

}  // namespace pliant::solvers::position_based
