// Free bodies: nothing acts on them, and what they have of momentum they keep.
#include <cmath>

#include "pliant/validate/rows.h"
#include "pliant/validate/solid.h"

namespace pliant::app::validation {
namespace {

constexpr double seconds = 10, speed = 1, turn = 3;  // m/s, rad/s

// A cube of 1 m without gravity that flies along x and turns about y.
Result<Solid> flying_cube(const Setup& setup, double velocity, const Execution& execution) {
    SolidOptions options;
    options.cells = {setup.across, setup.across, setup.across};
    options.settings.gravity = {};
    auto cube = make_solid(setup, options, execution);
    if (!cube) return cube;
    for (std::size_t i = 0; i < cube->rest.size(); ++i) {
        const Vec3 x = cube->rest[i];
        const Vec3 v{static_cast<float>(velocity + turn * x.z), 0, static_cast<float>(-turn * x.x)};
        const Status status = cube->simulation.set_velocity(static_cast<std::uint32_t>(i), v);
        if (!status) return status.error();
    }
    return cube;
}

template <class Quantity>
Measurement follow(Solid& cube, Quantity&& quantity, const Execution& execution) {
    Measurement result;
    result.expected = quantity(cube.simulation.diagnostics());
    double farthest = 0;
    while (!stopped(execution)) {
        const double time = cube.simulation.view().time;
        const double now = quantity(cube.simulation.diagnostics());
        result.curve.push_back({time, now});
        result.theory.push_back({time, result.expected});
        if (!(std::fabs(now - result.expected) < farthest)) {
            farthest = std::fabs(now - result.expected);
            result.measured = now;
        }
        if (time >= seconds) break;
        cube.simulation.step();
    }
    result.inverted = cube.simulation.diagnostics().inverted_tetrahedra;
    return result;
}

Result<Measurement> measure_spin(const Setup& setup, const Execution& execution) {
    auto cube = flying_cube(setup, 0, execution);
    if (!cube) return cube.error();
    return follow(
        *cube, [](const Diagnostics& d) { return d.angular_momentum.y; }, execution);
}

Result<Measurement> measure_momentum(const Setup& setup, const Execution& execution) {
    auto cube = flying_cube(setup, speed, execution);
    if (!cube) return cube.error();
    return follow(
        *cube, [](const Diagnostics& d) { return d.momentum.x; }, execution);
}

}  // namespace

Case spin() {
    Case c;
    c.name = "spin";
    c.quantity = "angular momentum";
    c.unit = "kg·m²/s";
    c.formula = "as at the start";
    c.about = "A free cube of 1 m turns at 3 rad/s for 10 s. The value farthest from the first one.";
    c.across = {"time", "s"};
    c.up = {"angular momentum", "kg·m²/s"};
    c.rows = product({.young_modulus = 1e5f, .allowed = 0.01}, all_energies, {4, 8});
    c.measure = measure_spin;
    return c;
}

Case momentum() {
    Case c;
    c.name = "momentum";
    c.quantity = "momentum";
    c.unit = "kg·m/s";
    c.formula = "as at the start";
    c.about = "The same cube turns and flies at 1 m/s for 10 s. The value farthest from the first one.";
    c.across = {"time", "s"};
    c.up = {"momentum", "kg·m/s"};
    c.rows = product({.young_modulus = 1e5f, .allowed = 0.005}, all_energies, {4, 8});
    c.measure = measure_momentum;
    return c;
}

}  // namespace pliant::app::validation
