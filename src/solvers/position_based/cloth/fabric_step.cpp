#include "solvers/position_based/cloth/fabric_step.h"

#include <algorithm>
#include <cmath>

#include "base/convert.h"
#include "base/particle_layout.h"
#include "constraints/roles.h"
#include "solvers/position_based/cloth/cloth_levels.h"

namespace pliant::solvers::position_based {
namespace {

// Of what a sweep carries: softer materials are left to it.
constexpr double enough_membrane = 0.1, enough_bending = 0.25;
// Of 1/m·h²: what the solve stands in for.
constexpr float limp = 1e20f;
// Times what a linear membrane would pull with at most: what is stretched far is not overshot.
constexpr double most_pull = 1.5;

float* at(float* array, std::uint32_t offset) {
    return reinterpret_cast<float*>(reinterpret_cast<char*>(array) + offset);
}

Vec3d place(const std::vector<double>& places, std::uint32_t row) {
    return {places[3 * row], places[3 * row + 1], places[3 * row + 2]};
}

template <class Kind>
auto material_of(const model::MaterialValues& values) {
    return constraints::make_material<Kind, double>([&](std::size_t i) { return values.constants[i]; });
}

// Calls f.operator()<Kind>() for the kind of a sheet's membranes.
template <class F>
void with_kind(MembraneModel model, const F& f) {
    switch (model) {
        case MembraneModel::orthotropic:
            return f.template operator()<constraints::Weave>();
        case MembraneModel::stvk:
            return f.template operator()<constraints::GreenMembrane>();
        case MembraneModel::arap:
            return f.template operator()<constraints::RotatedMembrane>();
        case MembraneModel::dirichlet:
        case MembraneModel::links:
            return;
    }
}

FabricStiffness stiffness_of(const ClothSheet& sheet, std::span<const model::MaterialValues> materials,
                             double substep) {
    const Fabric& fabric = sheet.fabric;
    const double h2 = substep * substep;
    FabricStiffness result;
    const model::MaterialValues& membrane = materials[sheet.part];
    if (!fabric.triangles.empty() && sheet.model != MembraneModel::dirichlet &&
        membrane.elasticity.compliance > 0 && membrane.elasticity.damping == 0) {
        const double asked = h2 / double(membrane.elasticity.compliance);
        if (asked > enough_membrane * fabric.membrane_per_sweep) result.membrane = asked;
        with_kind(sheet.model, [&]<class Kind>() {
            const auto ratios = Kind::ratios(material_of<Kind>(membrane));
            if constexpr (Kind::rows == 3) {
                result.weft = ratios[1], result.shear = ratios[2];
                result.poisson = material_of<Kind>(membrane).poisson_ratio;
            } else {
                result.poisson = max(ratios[0] - 1, 0.0);
                result.shear = 2 * ratios[0];
            }
        });
    }
    const model::MaterialValues& bending = materials[fabric.bending_part];
    if (!fabric.hinges.empty() && bending.elasticity.compliance > 0) {
        const double asked = h2 / double(bending.elasticity.compliance);
        if (asked > enough_bending * fabric.bending_per_sweep) result.bending = asked;
        result.viscosity = double(bending.elasticity.damping) / substep;
    }
    return result;
}

// D of the membrane's part of K.
struct Bound {
    explicit Bound(const FabricStiffness& s) {
        const double unit = s.membrane / (s.weft - s.poisson * s.poisson), mixed = unit * s.poisson,
                     shear = 2 * s.membrane / s.shear;
        u = max(unit * s.weft + mixed, shear);
        v = max(unit + mixed, shear);
    }
    double u, v;
};

// Of the shape functions, along warp and weft.
struct Gradients {
    explicit Gradients(const FabricTriangle& t)
        : u{-(t.rest.b1_u + t.rest.b2_u), t.rest.b1_u, t.rest.b2_u},
          v{-(t.rest.b1_v + t.rest.b2_v), t.rest.b1_v, t.rest.b2_v} {}
    double u[3], v[3];
};

class MatrixMaker {
public:
    MatrixMaker(const Fabric& fabric, FabricWorkspace& own) : fabric_(fabric), own_(own) {}

    void run() {
        own_.factor.assign(fabric_.layout.entries(), 0.0);
        for (std::uint32_t row = 0; row < fabric_.rows(); ++row) add(row, row, fabric_.masses[row]);
        if (own_.stiffness.membrane > 0) add_membranes();
        if (own_.stiffness.bending > 0) add_hinges();
        for (std::uint32_t row = 0; row < fabric_.rows(); ++row) {
            if (own_.is_held[row]) fabric_.layout.row(own_.factor.data(), row)[row] = 1;
        }
        factorize(fabric_.layout, own_.factor);
    }

private:
    void add(std::uint32_t a, std::uint32_t b, double value) {
        if (b > a || own_.is_held[a] || own_.is_held[b]) return;
        fabric_.layout.row(own_.factor.data(), a)[b] += value;
    }

    void add_membranes() {
        const Bound bound(own_.stiffness);
        for (const FabricTriangle& t : fabric_.triangles) {
            const Gradients b(t);
            for (std::size_t i = 0; i < 3; ++i) {
                for (std::size_t j = 0; j < 3; ++j) {
                    add(t.rows[i], t.rows[j],
                        (bound.u * b.u[i] * b.u[j] + bound.v * b.v[i] * b.v[j]) / t.rest.inverse_area);
                }
            }
        }
    }

    void add_hinges() {
        const double unit = own_.stiffness.bending * (1 + own_.stiffness.viscosity);
        for (const FabricHinge& hinge : fabric_.hinges) {
            for (std::size_t i = 0; i < 4; ++i) {
                for (std::size_t j = 0; j < 4; ++j)
                    add(hinge.rows[i], hinge.rows[j], unit * hinge.weight * hinge.k[i] * hinge.k[j]);
            }
        }
    }

    const Fabric& fabric_;
    FabricWorkspace& own_;
};

void add_force(const Fabric& fabric, FabricWorkspace& own, std::uint32_t row, const Vec3d& force) {
    const std::size_t rows = fabric.rows();
    own.forces[row] += force.x;
    own.forces[rows + row] += force.y;
    own.forces[2 * rows + row] += force.z;
}

// Σ Cᵣ/αᵣ·∇Cᵣ of the rows of a triangle, for 1/αᵣ in units of the stiffness along the warp, per area.
template <class Kind>
std::array<double, Kind::rows> pulls_of(const constraints::BlockEvaluation<double, 3, Kind::rows>& e,
                                        const typename Kind::template Material<double>& material) {
    const auto ratios = Kind::ratios(material);
    std::array<double, Kind::rows> pulls{};
    for (std::size_t r = 0; r < Kind::rows; ++r)
        pulls[r] = e.squared_divisors[r] > 1e-30 ? e.values[r] / (e.squared_divisors[r] * ratios[r]) : 0.0;
    if constexpr (requires { Kind::mixed_ratio(material); }) {
        const double mixed = Kind::mixed_ratio(material),
                     inverse = 1 / (ratios[0] * ratios[1] - mixed * mixed);
        pulls[0] = (ratios[1] * e.values[0] - mixed * e.values[1]) * inverse;
        pulls[1] = (ratios[0] * e.values[1] - mixed * e.values[0]) * inverse;
    }
    return pulls;
}

template <class Kind>
void pull_triangles(const Fabric& fabric, const model::MaterialValues& values, FabricWorkspace& own) {
    const auto material = material_of<Kind>(values);
    const Bound bound(own.stiffness);
    for (const FabricTriangle& t : fabric.triangles) {
        const Vec3d x[3] = {place(own.starts, t.rows[0]), place(own.starts, t.rows[1]),
                            place(own.starts, t.rows[2])};
        const typename Kind::template Rest<double> rest{t.rest};
        const auto e = Kind::evaluate(x, rest, material);
        const auto pulls = pulls_of<Kind>(e, material);
        Vec3d forces[3]{};
        double square = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            for (std::size_t r = 0; r < Kind::rows; ++r) forces[k] = forces[k] + e.gradients[r][k] * pulls[r];
            square += dot(forces[k], forces[k]);
        }
        const double linear = most_pull * Kind::strain(x, rest);
        const double most = linear * linear * Kind::gradient_square(rest);
        const double share = square > most ? sqrt(most / square) : 1.0;
        const double scale = -own.stiffness.membrane * share / t.rest.inverse_area;
        // K·a
        const Gradients b(t);
        Vec3d along_u{}, along_v{};
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d a = place(own.places, t.rows[k]) - x[k];
            along_u = along_u + a * b.u[k];
            along_v = along_v + a * b.v[k];
        }
        along_u = along_u * (bound.u / t.rest.inverse_area);
        along_v = along_v * (bound.v / t.rest.inverse_area);
        for (std::size_t k = 0; k < 3; ++k) {
            add_force(fabric, own, t.rows[k], forces[k] * scale - along_u * b.u[k] - along_v * b.v[k]);
        }
    }
}

Vec3d unit_or_none(const Vec3d& a) {
    const double square = dot(a, a);
    return square > 0 ? a * (1 / sqrt(square)) : Vec3d{};
}

void pull_hinges(const Fabric& fabric, const ParticleArrays& particles, FabricWorkspace& own) {
    if (own.stiffness.viscosity > 0) {
        for (std::size_t row = 0; row < fabric.rows(); ++row) {
            const float* u = at(particles.displacement, own.offsets[row]);
            for (std::size_t axis = 0; axis < 3; ++axis)
                own.places[3 * row + axis] += own.stiffness.viscosity * double(u[axis]);
        }
    }
    for (const FabricHinge& hinge : fabric.hinges) {
        const Vec3d x0 = place(own.places, hinge.rows[0]), e = place(own.places, hinge.rows[1]) - x0,
                    a = place(own.places, hinge.rows[2]) - x0, b = place(own.places, hinge.rows[3]) - x0;
        Vec3d c = e * hinge.k[1] + a * hinge.k[2] + b * hinge.k[3];
        if (hinge.rest != 0) {
            const Vec3d n = unit_or_none(unit_or_none(cross(e, a)) + unit_or_none(cross(b, e)));
            c = c - n * hinge.rest;
        }
        const Vec3d pull = c * (-own.stiffness.bending * hinge.weight);
        for (std::size_t i = 0; i < 4; ++i) add_force(fabric, own, hinge.rows[i], pull * hinge.k[i]);
    }
}

// Rows where their particles are, or what holds them.
void read_places(const ClothSheet& sheet, const ParticleArrays& particles, const FabricLoad& load,
                 FabricWorkspace& own) {
    const Fabric& fabric = sheet.fabric;
    for (const HeldParticle& one : own.held) {
        float* x = at(particles.position, own.offset_of[one.vertex]);
        std::copy_n(particles.position + one.holder_slot * floats_per_particle, 3, x);
    }
    for (std::size_t row = 0; row < fabric.rows(); ++row) {
        const float* x = at(particles.position, own.offsets[row]);
        for (std::size_t axis = 0; axis < 3; ++axis) own.places[3 * row + axis] = x[axis];
        Vec3d step{};
        if (!own.is_held[row]) {
            step = load.gravity_step;
            if (load.forces) {
                const float* f = load.forces + own.offsets[row] / sizeof(float);
                step = step + Vec3d{f[0], f[1], f[2]} * (load.h2 * double(x[3]));
            }
        }
        own.starts[3 * row] = own.places[3 * row] - step.x;
        own.starts[3 * row + 1] = own.places[3 * row + 1] - step.y;
        own.starts[3 * row + 2] = own.places[3 * row + 2] - step.z;
    }
}

}  // namespace

void prepare_fabric(const ClothSheet& sheet, std::span<const std::uint32_t> slot_of,
                    std::span<const model::MaterialValues> materials, double substep,
                    const std::vector<HeldParticle>& held, bool touches, std::span<Softness<float>> softness,
                    FabricWorkspace& own) {
    const Fabric& fabric = sheet.fabric;
    own.is_needed = own.is_active = false;
    if (fabric.empty()) return;
    const FabricStiffness stiffness = stiffness_of(sheet, materials, substep);
    own.is_needed = stiffness.membrane > 0 || stiffness.bending > 0;
    own.is_active = own.is_needed && !touches;
    if (!own.is_active) return;
    if (stiffness.membrane > 0) softness[sheet.part].compliance_per_measure = limp;
    if (stiffness.bending > 0) softness[fabric.bending_part].compliance_per_measure = limp;
    if (stiffness == own.stiffness && held == own.held && !own.factor.empty()) return;
    own.stiffness = stiffness;
    own.held = held;
    own.offset_of.clear();
    for (std::uint32_t v = 0; v < sheet.particles; ++v) {
        own.offset_of.push_back(
            static_cast<std::uint32_t>(slot_of[sheet.first_particle + v] * bytes_per_particle));
    }
    std::vector<std::uint8_t> holds(sheet.particles, 0);
    for (const HeldParticle& one : held) holds[one.vertex] = 1;
    own.offsets.clear();
    own.is_held.clear();
    for (const std::uint32_t vertex : fabric.vertex_at) {
        own.offsets.push_back(own.offset_of[vertex]);
        own.is_held.push_back(holds[vertex]);
    }
    own.places.resize(3 * fabric.rows());
    own.starts.resize(3 * fabric.rows());
    own.forces.resize(3 * fabric.rows());
    MatrixMaker(fabric, own).run();
}

void solve_fabric(const ClothSheet& sheet, std::span<const model::MaterialValues> materials,
                  const Kernels& kernels, const ParticleArrays& particles, const FabricLoad& load,
                  FabricWorkspace& own) {
    const Fabric& fabric = sheet.fabric;
    const std::size_t rows = fabric.rows();
    read_places(sheet, particles, load, own);
    std::fill(own.forces.begin(), own.forces.end(), 0.0);
    if (own.stiffness.membrane > 0) {
        with_kind(sheet.model,
                  [&]<class Kind>() { pull_triangles<Kind>(fabric, materials[sheet.part], own); });
    }
    if (own.stiffness.bending > 0) pull_hinges(fabric, particles, own);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::span<double> moves(own.forces.data() + axis * rows, rows);
        for (std::size_t row = 0; row < rows; ++row) moves[row] = own.is_held[row] ? 0.0 : moves[row];
        kernels.solve_factor(fabric.layout.solve_run(own.factor, moves));
    }
    const auto move = [&](std::uint32_t offset, std::size_t row) {
        float* x = at(particles.position, offset);
        if (!(x[3] > 0)) return;
        for (std::size_t axis = 0; axis < 3; ++axis)
            x[axis] = static_cast<float>(double(x[axis]) + own.forces[axis * rows + row]);
    };
    for (std::size_t row = 0; row < rows; ++row) {
        if (!own.is_held[row]) move(own.offsets[row], row);
    }
    // What is tied to the sheet goes with it.
    for (std::size_t t = sheet.particles; t < sheet.targets.size(); ++t)
        move(sheet.target_offsets[t], fabric.row_of[sheet.targets[t].vertex]);
}

}  // namespace pliant::solvers::position_based
