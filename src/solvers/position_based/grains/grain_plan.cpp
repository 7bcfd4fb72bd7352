#include "solvers/position_based/grains/grain_plan.h"

#include <algorithm>

#include "base/particle_layout.h"
#include "solvers/position_based/plan.h"

namespace pliant::solvers::position_based {

bool is_grains(const model::Model& model, std::size_t body) {
    return model.contacts[body].radius > 0 && model::is_loose(model.bodies[body]);
}

GrainPlan make_grain_plan(const model::Model& model, const Plan& plan) {
    GrainPlan result;
    result.in_island.assign(model.islands.size(), 0);
    for (std::uint32_t b = 0; b < model.bodies.size(); ++b) {
        if (!is_grains(model, b)) continue;
        const bool meets_one = [&] {
            for (std::size_t other = 0; other < model.bodies.size(); ++other) {
                const bool is_same = other == b;
                if (is_grains(model, other) &&
                    model::may_touch(model.contacts[b], model.contacts[other], is_same) &&
                    (!is_same || model.bodies[b].particle_count > 1))
                    return true;
            }
            return false;
        }();
        if (!meets_one) continue;
        const BodyView& body = model.bodies[b];
        result.in_island[body.island] = 1;
        result.has_restitution = result.has_restitution || model.contacts[b].restitution > 0;
        for (std::uint32_t p = body.first_particle; p < body.first_particle + body.particle_count; ++p) {
            result.offsets.push_back(static_cast<std::uint32_t>(plan.slot_of[p] * bytes_per_particle));
            result.bodies.push_back(b);
            const float radius = model.radii[p] > 0 ? model.radii[p] : model.contacts[b].radius;
            result.radii.push_back(radius);
            result.largest_radius = std::max(result.largest_radius, radius);
            result.is_uniform = result.is_uniform && radius == result.radii[0] && b == result.bodies[0];
        }
    }
    result.first_dummy = static_cast<std::uint32_t>(plan.slots() * bytes_per_particle);
    return result;
}

}  // namespace pliant::solvers::position_based
