#include "scene/carried_stiffness.h"

#include <algorithm>

#include "base/convert.h"
#include "solvers/position_based/coarse/stiffness_shares.h"

namespace pliant {
namespace {

namespace position_based = solvers::position_based;
using position_based::CoarseBody;
using position_based::Plan;

class Solid {
public:
    Solid(const model::Model& model, const Plan& plan, const Settings& settings, std::size_t body,
          double young_modulus)
        : model_(model),
          plan_(plan),
          body_(model.bodies[body]),
          time_step_(settings.time_step),
          young_modulus_(young_modulus) {
        if (settings.levels == Levels::off) return;
        for (const CoarseBody& coarse : plan.coarse.bodies) {
            if (coarse.body == body) coarse_ = &coarse;
        }
    }

    double carried(int substeps) {
        const double h = double(time_step_) / substeps;
        if (!coarse_) return position_based::carried_by_elements(model_, body_, young_modulus_, h);
        position_based::share_stiffness(plan_.coarse, *coarse_, young_modulus_, h, shares_);
        return shares_.carried;
    }

    // The fewest that carry nine tenths; what is carried grows with them.
    int substeps_wanted(int most) {
        const double enough = 0.9 * young_modulus_;
        if (carried(most) < enough) return 0;
        int few = 0, many = most;
        while (many - few > 1) {
            const int middle = (few + many) / 2;
            (carried(middle) < enough ? few : many) = middle;
        }
        return many;
    }

private:
    const model::Model& model_;
    const Plan& plan_;
    const BodyView& body_;
    const CoarseBody* coarse_ = nullptr;
    float time_step_;
    double young_modulus_;
    position_based::StiffnessShares shares_;
};

struct Column {
    double height = 0;    // m, along gravity
    double pressure = 0;  // Pa, of its weight at its foot
};

Column column_of(const model::Model& model, const BodyView& body, const Vec3& gravity) {
    const double g = length(to_double(gravity));
    if (!(g > 0)) return {};
    double low = 1e300, high = -1e300, mass = 0, volume = 0;
    for (std::size_t i = body.first_particle; i < body.first_particle + body.particle_count; ++i) {
        const double along = double(dot(model.rest_positions[i], gravity)) / g;
        low = std::min(low, along);
        high = std::max(high, along);
        mass += 1 / double(model.inverse_masses[i]);
    }
    for (std::size_t t = 0; t < body.tetrahedron_count; ++t)
        volume += double(model.rest_volumes[body.first_tetrahedron + t]);
    return {high - low, mass / volume * g * (high - low)};
}

}  // namespace

std::vector<Stiffness> carried_stiffness(const model::Model& model, const Plan& plan,
                                         const Settings& settings,
                                         std::span<const model::MaterialValues> materials) {
    std::vector<Stiffness> result;
    if (settings.method == Method::pbd) return result;
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
        const BodyView& body = model.bodies[b];
        if (body.tetrahedron_count == 0) continue;
        const std::uint32_t part = model.tetrahedron_parts[body.first_tetrahedron];
        const double compliance = materials[part].elasticity.compliance;
        if (!(compliance > 0)) continue;  // springs that ask for all there is
        Solid solid(model, plan, settings, b, 1 / compliance);
        const Column column = column_of(model, body, settings.gravity);
        result.push_back({body.name, 1 / compliance, solid.carried(settings.substeps),
                          solid.substeps_wanted(1000), column.pressure * compliance, column.height});
    }
    return result;
}

}  // namespace pliant
