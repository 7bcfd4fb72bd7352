#include "scene/diagnostics.h"

#include <cmath>

#include "base/geometry/tetrahedron.h"

namespace pliant {
namespace {

using model::Model;
using model::State;

// Positions and displacements in double, by particle.
class Reader {
public:
    Reader(const solvers::position_based::Plan& plan, const model::PositionBasedState& state)
        : plan_(plan), state_(state) {}

    Vec3d position(std::uint32_t particle) const { return vector(state_.position, particle); }
    Vec3d velocity(std::uint32_t particle) const {
        return vector(state_.displacement, particle) * (1 / double(state_.substep));
    }
    double inverse_mass(std::uint32_t particle) const {
        return state_.position[plan_.slot_of[particle] * floats_per_particle + 3];
    }

private:
    Vec3d vector(const AlignedVector<float>& array, std::uint32_t particle) const {
        const float* p = array.data() + plan_.slot_of[particle] * floats_per_particle;
        return {p[0], p[1], p[2]};
    }

    const solvers::position_based::Plan& plan_;
    const model::PositionBasedState& state_;
};

void add_particles(const Model& model, const Reader& read, const State& state, const Settings& settings,
                   Diagnostics& d) {
    const Vec3d gravity{settings.gravity.x, settings.gravity.y, settings.gravity.z};
    for (std::uint32_t i = 0; i < model.particles(); ++i) {
        const double w = read.inverse_mass(i);
        if (!(w > 0)) continue;
        const Vec3d x = read.position(i) + state.origins[model.island_of[i]], v = read.velocity(i);
        d.kinetic_energy += dot(v, v) / (2 * w);
        d.potential_energy -= dot(gravity, x) / w;
        d.momentum = d.momentum + v * (1 / w);
        d.angular_momentum = d.angular_momentum + cross(x, v) * (1 / w);
    }
}

struct Measured {
    double error;   // relative
    double energy;  // J
};

// C, and ½·C²/α.
template <constraints::ScalarKind Kind>
Measured measure(const Vec3d* x, const typename Kind::template Rest<double>& rest,
                 const typename Kind::template Material<double>& constants, double size, double compliance) {
    const double c = Kind::template evaluate<double>(x, rest, constants).value;
    return {abs(c) / Kind::error_scale(rest, size), compliance > 0 ? c * c / (2 * compliance) : 0};
}
template <constraints::BlockKind Kind>
Measured measure(const Vec3d* x, const typename Kind::template Rest<double>& rest,
                 const typename Kind::template Material<double>& constants, double, double compliance) {
    // The compliance is that of the part times the measure 1/V, which the energy has in it.
    return {Kind::strain(x, rest), Kind::energy(x, rest, constants) * Kind::measure(rest) / compliance};
}

// Returns the sum of the errors.
template <class Kind>
double add_constraints(const Model& model, const Reader& read, const model::Rests& rests,
                       std::span<const model::MaterialValues> materials, Diagnostics& d) {
    const auto& list = constraints::list_of<Kind>(model.constraints);
    double error_sum = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const model::MaterialValues& material = materials[list.parts[i]];
        const auto values = constraints::to_array<Kind>(rests.of<Kind>()[i]);
        const auto rest = constraints::make_rest<Kind, double>([&](std::size_t k) { return values[k]; });
        const auto constants = constraints::make_material<Kind, double>(
            [&](std::size_t k) { return double(material.constants[k]); });
        Vec3d x[Kind::arity];
        for (std::size_t k = 0; k < Kind::arity; ++k) x[k] = read.position(list.particles[i][k]);
        const double size = model.islands[model.island_of[list.particles[i][0]]].size;
        const model::ComplianceScale& scale = model.parts[list.parts[i]].scale;
        const double compliance =
            material.elasticity.compliance * (scale.uniform + scale.per_measure * Kind::measure(rest));
        const Measured measured = measure<Kind>(x, rest, constants, size, compliance);
        if (std::isnan(measured.error)) continue;  // a rest of NaN: there is no constraint
        error_sum += measured.error;
        d.worst_constraint_error = max(d.worst_constraint_error, measured.error);
        d.potential_energy += measured.energy;
        ++d.constraints;
    }
    return error_sum;
}

void add_tetrahedra(const Model& model, const Reader& read, Diagnostics& d) {
    for (std::size_t i = 0; i < model.tetrahedra.size(); ++i) {
        const Tetrahedron& t = model.tetrahedra[i];
        const double volume = tetrahedron_volume(read.position(t[0]), read.position(t[1]),
                                                 read.position(t[2]), read.position(t[3]));
        d.volume += volume;
        d.rest_volume += model.rest_volumes[i];
        if (volume <= 0) ++d.inverted_tetrahedra;
    }
}

}  // namespace

Diagnostics diagnose(const Model& model, const solvers::position_based::Plan& plan, const State& state,
                     const Settings& settings, std::span<const model::MaterialValues> materials) {
    Diagnostics d;
    const Reader read(plan, state.position_based);
    add_particles(model, read, state, settings, d);
    const model::Rests rests(model, state);
    double error_sum = 0;
    constraints::AllKinds::for_each(
        [&]<class Kind>() { error_sum += add_constraints<Kind>(model, read, rests, materials, d); });
    add_tetrahedra(model, read, d);
    d.total_energy = d.kinetic_energy + d.potential_energy;
    d.mean_constraint_error = d.constraints > 0 ? error_sum / static_cast<double>(d.constraints) : 0;
    d.particles = model.visible;
    d.repaired_particles = state.repaired;
    d.rescues = state.rescues;
    return d;
}

}  // namespace pliant
