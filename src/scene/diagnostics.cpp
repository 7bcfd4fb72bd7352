#include "scene/diagnostics.h"

#include <algorithm>
#include <type_traits>

namespace pliant {
namespace {

Vec3d vector_at(const AlignedVector<float>& array, std::size_t place) {
    const float* p = array.data() + place * floats_per_particle;
    return {p[0], p[1], p[2]};
}

void add_particles(const Model& model, const State& state, const Settings& settings, Diagnostics& d) {
    const Vec3d gravity{settings.gravity.x, settings.gravity.y, settings.gravity.z};
    for (std::size_t g = 0; g < model.groups.size(); ++g) {
        const Group& group = model.groups[g];
        for (std::size_t i = group.first; i < group.first + group.count; ++i) {
            const double w = state.position[i * floats_per_particle + 3];
            if (!(w > 0)) continue;
            const Vec3d x = vector_at(state.position, i) + state.origins[g];
            const Vec3d v = vector_at(state.displacement, i) * (1 / double(state.substep));
            d.kinetic_energy += dot(v, v) / (2 * w);
            d.potential_energy -= dot(gravity, x) / w;
            d.momentum = d.momentum + v * (1 / w);
            d.angular_momentum = d.angular_momentum + cross(x, v) * (1 / w);
        }
    }
}

void add_constraints(const Model& model, const State& state, std::span<const Elasticity> elasticities,
                     Diagnostics& d, double& error_sum) {
    model.for_each_constraint([&]<class Kind>(const auto& places, const auto& parameters, std::uint32_t e) {
        Vec3d x[Kind::arity];
        double values[Kind::parameters + 1] = {};
        for (std::size_t k = 0; k < Kind::arity; ++k) x[k] = vector_at(state.position, places[k]);
        std::copy(parameters.begin(), parameters.end(), values);
        const double c = Kind::template evaluate<double>(x, values).value;

        // The first parameter is the rest measure; an attachment is measured by its group's size.
        double measure = 1;
        if constexpr (Kind::parameters > 0) {
            measure = values[0];
        } else {
            measure = model.groups[model.group_of(places[0])].size;
        }
        const double error = abs(c) / measure;
        error_sum += error;
        d.worst_constraint_error = max(d.worst_constraint_error, error);
        const ElasticityUse& use = model.uses[e];
        const double alpha = elasticities[e].compliance * (use.uniform + use.per_measure * values[0]);
        if (alpha > 0) d.potential_energy += c * c / (2 * alpha);
        if constexpr (std::is_same_v<Kind, kinds::Volume>) {
            const double volume = c + values[0];
            d.volume += volume;
            d.rest_volume += values[0];
            if (volume <= 0) ++d.inverted_tetrahedra;
        }
        ++d.constraints;
    });
}

}  // namespace

Diagnostics diagnose(const Model& model, const State& state, const Settings& settings,
                     std::span<const Elasticity> elasticities) {
    Diagnostics d;
    add_particles(model, state, settings, d);
    double error_sum = 0;
    add_constraints(model, state, elasticities, d, error_sum);
    d.total_energy = d.kinetic_energy + d.potential_energy;
    d.mean_constraint_error = d.constraints > 0 ? error_sum / static_cast<double>(d.constraints) : 0;
    d.particles = model.visible;
    d.repaired_particles = state.repaired;
    return d;
}

}  // namespace pliant
