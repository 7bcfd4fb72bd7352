// Bars that are held at one end and pulled or twisted at the other, without gravity.
#include <cmath>

#include "pliant/validate/rows.h"
#include "pliant/validate/solid.h"

namespace pliant::app::validation {
namespace {

// Far from the ends the stress is uniform (Saint-Venant): what lies between a quarter and three quarters of
// the length is measured.
struct Middle {
    int low, high;  // layers
    double length;  // m
};

Middle middle_of(const Solid& bar) {
    const int cells = bar.layers - 1;
    return {cells / 4, 3 * cells / 4, bar_length / 2};
}

constexpr double pull_strain = 0.01;  // what the pull is to cause

double axial_strain(const Solid& bar) {
    const Middle middle = middle_of(bar);
    const auto along = [&](std::size_t i) { return bar.displacement(i).y; };
    return (bar.mean_over_layer(middle.high, along) - bar.mean_over_layer(middle.low, along)) / middle.length;
}

// Of each layer, the factor by which f/r² fits best, r from the axis.
std::vector<double> fit_over_layers(const Solid& bar, const std::function<double(Vec3 x, Vec3d u)>& f) {
    std::vector<double> fits =
        bar.layer_means([&](std::size_t i) { return f(bar.rest[i], bar.displacement(i)); });
    const std::vector<double> squares = bar.layer_means([&](std::size_t i) {
        return double(bar.rest[i].x) * bar.rest[i].x + double(bar.rest[i].z) * bar.rest[i].z;
    });
    for (std::size_t i = 0; i < fits.size(); ++i) fits[i] /= squares[i];
    return fits;
}

std::vector<double> lateral_strains(const Solid& bar) {
    return fit_over_layers(bar, [](Vec3 x, Vec3d u) { return u.x * x.x + u.z * x.z; });
}

// By which each layer has turned about y.
std::vector<double> small_angles(const Solid& bar) {
    return fit_over_layers(bar, [](Vec3 x, Vec3d u) { return u.x * x.z - u.z * x.x; });
}

Result<Solid> pulled_bar(const Setup& setup, const Execution& execution) {
    auto bar = make_bar(setup, {}, execution);
    if (!bar) return bar;
    const double stress = pull_strain * setup.young_modulus;
    std::vector<Vec3d> forces;
    for (const double area : top_areas(*bar)) forces.push_back({0, stress * area, 0});
    if (const Status status = set_forces(*bar, forces); !status) return status.error();
    const auto probe = [&] { return axial_strain(*bar); };
    if (const Status status = settle(*bar, probe, pull_strain, execution); !status) return status.error();
    return bar;
}

// E = σ/ε.
Result<Measurement> measure_stretch(const Setup& setup, const Execution& execution) {
    const auto bar = pulled_bar(setup, execution);
    if (!bar) return bar.error();
    Measurement result;
    result.expected = setup.young_modulus;
    result.measured = pull_strain * setup.young_modulus / axial_strain(*bar);
    finish(result, *bar, bar_length, bar->layer_means([&](std::size_t i) { return bar->displacement(i).y; }),
           [](double s) { return pull_strain * s; });
    return result;
}

// ν = −(strain across)/(strain along).
Result<Measurement> measure_poisson_effect(const Setup& setup, const Execution& execution) {
    const auto bar = pulled_bar(setup, execution);
    if (!bar) return bar.error();
    const double along = axial_strain(*bar);
    const std::vector<double> across = lateral_strains(*bar);
    const Middle middle = middle_of(*bar);
    Measurement result;
    result.expected = setup.poisson_ratio;
    std::vector<double> ratios;
    for (const double strain : across) ratios.push_back(-strain / along);
    for (int i = middle.low; i <= middle.high; ++i) result.measured += ratios[static_cast<std::size_t>(i)];
    result.measured /= middle.high - middle.low + 1;
    finish(result, *bar, bar_length, ratios, [&](double) { return double(setup.poisson_ratio); });
    return result;
}

// Tractions k·(z, 0, −x) on the top face.
std::vector<Vec3d> twisting_forces(const Solid& bar, double torque) {
    const std::vector<double> areas = top_areas(bar);
    const auto squared_radius = [&](std::size_t i) {
        return double(bar.rest[i].x) * bar.rest[i].x + double(bar.rest[i].z) * bar.rest[i].z;
    };
    double of_unit = 0;  // the torque at k = 1
    for (std::size_t i = 0; i < areas.size(); ++i) of_unit += areas[i] * squared_radius(i);
    std::vector<Vec3d> forces;
    for (std::size_t i = 0; i < areas.size(); ++i) {
        forces.push_back(Vec3d{bar.rest[i].z, 0, -bar.rest[i].x} * (torque / of_unit * areas[i]));
    }
    return forces;
}

// A torque T turns the end by TL/GJ; a square of width a has J = 0.1406 a⁴.
Result<Measurement> measure_torsion(const Setup& setup, const Execution& execution) {
    auto bar = make_bar(setup, {}, execution);
    if (!bar) return bar.error();
    constexpr double angle = 0.04;  // rad, over the whole length
    const double a = bar_width, G = setup.young_modulus / (2 * (1 + setup.poisson_ratio));
    const double torque = angle * G * 0.1406 * a * a * a * a / bar_length;
    if (const Status status = set_forces(*bar, twisting_forces(*bar, torque)); !status) return status.error();
    const Middle middle = middle_of(*bar);
    const auto turned = [&] {
        const std::vector<double> angles = small_angles(*bar);
        return angles[static_cast<std::size_t>(middle.high)] - angles[static_cast<std::size_t>(middle.low)];
    };
    Measurement result;
    result.expected = angle * middle.length / bar_length;
    if (const Status status = settle(*bar, turned, result.expected, execution); !status)
        return status.error();
    result.measured = turned();
    finish(result, *bar, bar_length, small_angles(*bar), [](double s) { return angle * s / bar_length; });
    return result;
}

}  // namespace

Case stretch() {
    Case c;
    c.name = "stretch";
    c.quantity = "Young's modulus";
    c.unit = "Pa";
    c.formula = "E = σ/ε";
    c.about =
        "A bar of 1 m, 1/8 m thick, held at one end face, is pulled at the other by 0.01·E. Stress over "
        "the strain of its middle half.";
    c.across = {"distance from the held end", "m"};
    c.up = {"displacement", "m"};
    c.length = 8;
    c.rows = product({.young_modulus = 1e5f, .allowed = 0.05}, elements, {2, 4, 8});
    c.measure = measure_stretch;
    return c;
}

Case poisson_effect() {
    Case c;
    c.name = "poisson";
    c.quantity = "Poisson's ratio";
    c.formula = "ν = −ε across/ε along";
    c.about =
        "The same bar, pulled by 0.01·E. By how much its middle half thins, over how much it lengthens.";
    c.error = ErrorMeasure::absolute;
    c.across = {"distance from the held end", "m"};
    c.up = {"strain across ÷ strain along the middle", ""};
    c.length = 8;
    c.rows = product({.young_modulus = 1e5f, .allowed = 0.03}, elements, {2, 4, 8});
    append(c.rows,
           product({.young_modulus = 1e5f, .poisson_ratio = 0.45f, .allowed = 0.03}, elements, {2, 4, 8}));
    c.measure = measure_poisson_effect;
    return c;
}

Case torsion() {
    Case c;
    c.name = "torsion";
    c.quantity = "angle of twist";
    c.unit = "rad";
    c.formula = "TL/GJ, J = 0.1406 a⁴";
    c.about =
        "A bar of 1 m, 1/8 m thick, held at one end face, is twisted at the other by a torque T. By how "
        "much its middle half is twisted at rest.";
    c.across = {"distance from the held end", "m"};
    c.up = {"angle", "rad"};
    c.length = 8;
    c.rows = product({.young_modulus = 1e5f, .allowed = 0.3}, elements, {4});
    append(c.rows, product({.young_modulus = 1e5f, .allowed = 0.1}, elements, {8}));
    c.measure = measure_torsion;
    return c;
}

}  // namespace pliant::app::validation
