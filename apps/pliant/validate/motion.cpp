// Bodies that move: a bar that swings along itself, a block that falls and bounces.
#include <algorithm>
#include <cmath>

#include "pliant/validate/rows.h"
#include "pliant/validate/solid.h"

namespace pliant::app::validation {
namespace {

// Periods a second, from the first upward crossing of zero to the last.
double frequency_of(const std::vector<Point>& curve) {
    double first = 0, last = 0;
    int crossings = 0;
    for (std::size_t i = 1; i < curve.size(); ++i) {
        const Point a = curve[i - 1], b = curve[i];
        if (!(a.y < 0 && b.y >= 0)) continue;
        last = a.x + (b.x - a.x) * a.y / (a.y - b.y);
        if (++crossings == 1) first = last;
    }
    return crossings > 1 ? (crossings - 1) / (last - first) : 0;
}

// The first mode of a bar that is held at s = 0: u = U sin(πs/2L) sin(2πft), f = √(E/ρ)/4L. It starts with
// the velocities of this mode, so that no other one swings.
Result<Measurement> measure_vibration(const Setup& setup, const Execution& execution) {
    auto bar = make_bar(setup, {}, execution);
    if (!bar) return bar.error();
    const double pi = std::acos(-1.0), f = std::sqrt(setup.young_modulus / density) / (4 * bar_length);
    const double amplitude = 0.005;  // m, of the free end
    const auto shape = [&](double s) { return std::sin(pi * s / (2 * bar_length)); };
    for (std::size_t i = 0; i < bar->rest.size(); ++i) {
        if (bar->is_held[i]) continue;
        const double speed = amplitude * 2 * pi * f * shape(bar->rest[i].y);
        const Status status =
            bar->simulation.set_velocity(static_cast<std::uint32_t>(i), {0, static_cast<float>(speed), 0});
        if (!status) return status.error();
    }
    Measurement result;
    result.expected = f;
    const auto along = [&](std::size_t i) { return bar->displacement(i).y; };
    while (bar->simulation.view().time < 5.25 / f && !stopped(execution)) {
        bar->simulation.step();
        const double time = bar->simulation.view().time;
        result.curve.push_back({time, bar->mean_over_layer(bar->layers - 1, along)});
        result.theory.push_back({time, amplitude * std::sin(2 * pi * f * time)});
    }
    result.measured = frequency_of(result.curve);
    result.inverted = bar->simulation.diagnostics().inverted_tetrahedra;
    return result;
}

constexpr double gravity = 9.81, drop_height = 1, block_height = 0.5;

Result<Solid> falling_block(const Setup& setup, const Execution& execution) {
    SolidOptions options;
    options.size = {0.5f, static_cast<float>(block_height), 0.5f};
    options.cells = {setup.across, setup.across, setup.across};
    options.position = {0, drop_height + block_height / 2, 0};
    options.settings.gravity = {0, -static_cast<float>(gravity), 0};
    options.on_floor = true;
    return make_solid(setup, options, execution);
}

struct Motion {
    double height = 0, velocity = 0;  // of the lowest particle: m above the floor, m/s
};

Motion lowest(const View& view) {
    Motion low{1e30, 0};
    for (std::size_t i = 0; i < view.positions.size(); ++i) {
        if (view.positions[i].y < low.height) low = {view.positions[i].y, view.velocities[i].y};
    }
    return low;
}

// √(2H/g). After the last frame in the air the time that is left solves y + vt − gt²/2 = 0.
Result<Measurement> measure_free_fall(const Setup& setup, const Execution& execution) {
    auto block = falling_block(setup, execution);
    if (!block) return block.error();
    const double frame = block->simulation.settings().time_step;
    Measurement result;
    result.expected = std::sqrt(2 * drop_height / gravity);
    double left = 0;
    while (!stopped(execution)) {
        const Motion low = lowest(block->simulation.view());
        const double time = block->simulation.view().time;
        result.curve.push_back({time, low.height});
        result.theory.push_back({time, drop_height - gravity * time * time / 2});
        left = (low.velocity + std::sqrt(low.velocity * low.velocity + 2 * gravity * low.height)) / gravity;
        result.measured = time + left;
        if (left < frame || time > 2 * result.expected) break;
        block->simulation.step();
    }
    return result;
}

// The total energy never exceeds that of the start, over 4 s of fall and bounces.
Result<Measurement> measure_bounce(const Setup& setup, const Execution& execution) {
    auto block = falling_block(setup, execution);
    if (!block) return block.error();
    Measurement result;
    result.expected = density * 0.25 * block_height * gravity * (drop_height + block_height / 2);
    while (!stopped(execution)) {
        const double energy = block->simulation.diagnostics().total_energy;
        const double time = block->simulation.view().time;
        result.measured = std::max(result.measured, energy);
        result.curve.push_back({time, energy});
        result.theory.push_back({time, result.expected});
        if (time >= 4) break;
        block->simulation.step();
    }
    result.inverted = block->simulation.diagnostics().inverted_tetrahedra;
    return result;
}

}  // namespace

Case vibration() {
    Case c;
    c.name = "vibration";
    c.quantity = "frequency";
    c.unit = "Hz";
    c.formula = "√(E/ρ)/4L";
    c.about =
        "A bar of 1 m, 1/8 m thick, held at one end face, starts with the velocities of its first mode along "
        "itself. Periods a second over five periods.";
    c.across = {"time", "s"};
    c.up = {"displacement of the free end", "m"};
    c.length = 8;
    c.rows = product({.young_modulus = 1e5f, .allowed = 0.05}, elements, {2, 4, 8});
    c.measure = measure_vibration;
    return c;
}

Case free_fall() {
    Case c;
    c.name = "fall";
    c.quantity = "time to the floor";
    c.unit = "s";
    c.formula = "√(2H/g)";
    c.about = "A block of 0.5 m falls from 1 m above the floor.";
    c.across = {"time", "s"};
    c.up = {"height", "m"};
    c.rows = product({.young_modulus = 1e5f, .allowed = 0.005}, all_energies, {4});
    c.measure = measure_free_fall;
    return c;
}

Case bounce() {
    Case c;
    c.name = "bounce";
    c.quantity = "highest energy";
    c.unit = "J";
    c.formula = "at most mg(H + h/2)";
    c.about =
        "The same block falls and bounces for 4 s. The highest total energy: motion, weight, elasticity.";
    c.error = ErrorMeasure::excess;
    c.across = {"time", "s"};
    c.up = {"total energy", "J"};
    c.rows = product({.young_modulus = 1e5f, .allowed = 0.01}, all_energies, {4, 8});
    append(c.rows, product({.young_modulus = 1e6f, .allowed = 0.01}, all_energies, {8}));
    c.measure = measure_bounce;
    return c;
}

}  // namespace pliant::app::validation
