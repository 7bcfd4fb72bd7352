// A particle that a rigid link keeps on a circle.
#include <doctest/doctest.h>

#include <numbers>

#include "constraints/distance.h"
#include "support/projection_in_double.h"
#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

constexpr float wire_radius = 0.8f;

// Starts at the side of the wire, at rest, and returns the link's force in the first substep that ends
// past the bottom. advance() makes one substep of length h and returns the new x and that force.
template <class Advance>
double force_at_bottom(Advance&& advance) {
    while (true) {
        const auto [x, force] = advance();
        if (x < 0) return force;
    }
}

struct Passage {
    double x, force;
};

// In double, from the engine's own formula.
double bead_force_in_double(double h) {
    Vec3d x[2] = {{0, 0, 0}, {wire_radius, 0, 0}}, v{};
    const double w[2] = {0, 1};
    return force_at_bottom([&]() -> Passage {
        v.y -= 10 * h;
        const Vec3d p = x[1];
        x[1] = p + v * h;
        const double lambda = project<constraints::kinds::Distance>(x, w, {wire_radius});
        v = (x[1] - p) * (1 / h);
        return {x[1].x, std::abs(lambda) / (h * h)};
    });
}

// One substep a frame; the link's force is what gravity leaves of m·Δv/h.
double bead_force_in_engine(float h) {
    Settings settings = with_substeps(1);
    settings.time_step = h;
    settings.gravity = {0, -10, 0};
    Simulation simulation = start(scene_of(tethered_particle({wire_radius, 0, 0}, wire_radius), settings));
    return force_at_bottom([&]() -> Passage {
        const Vec3d before = to_double(simulation.view().velocities[1]);
        simulation.step();
        const Vec3d change = to_double(simulation.view().velocities[1]) - before;
        return {simulation.view().positions[1].x, length(change * (1 / double(h)) - Vec3d{0, -10, 0})};
    });
}

// The period of a pendulum of amplitude θ: 2π·√(L/g) / agm(1, cos(θ/2)).
double exact_period(double l, double g, double amplitude) {
    double a = 1, b = std::cos(amplitude / 2);
    for (int i = 0; i < 10; ++i) {
        const double mean = (a + b) / 2;
        b = std::sqrt(a * b);
        a = mean;
    }
    return 2 * std::numbers::pi * std::sqrt(l / g) / a;
}

struct Swing {
    double period;  // s
    double drift;   // largest change of energy, as a share of what swings
};

// Lets a pendulum of 1 kg swing to and fro twice.
Swing swing_of(double amplitude, int substeps, double length = 1) {
    const Vec3 side{float(length * std::sin(amplitude)), float(-length * std::cos(amplitude)), 0};
    Simulation simulation = start(scene_of(tethered_particle(side, float(length)), with_substeps(substeps)));
    const double frame = simulation.settings().time_step, before = simulation.diagnostics().total_energy;
    double first = 0, last = 0, x = side.x, drift = 0;
    for (int crossings = 0; crossings < 5;) {
        simulation.step();
        const double now = simulation.view().positions[1].x;
        if ((x > 0) != (now > 0)) {
            last = simulation.view().time - frame * now / (now - x);
            if (crossings++ == 0) first = last;
        }
        x = now;
        drift = std::max(drift, std::abs(simulation.diagnostics().total_energy - before));
    }
    return {(last - first) / 2, drift / (double(9.81f) * length * (1 - std::cos(amplitude)))};
}

}  // namespace

TEST_CASE("the force on a bead at the bottom of a wire climbs to 3mg with the substeps") {
    // Wire of radius 0.8 m, 1 kg, g = 10 m/s².
    CHECK(std::abs(bead_force_in_double(1.0 / 60) - 26.415) < 0.0006);
    CHECK(std::abs(bead_force_in_double(1.0 / 600) - 29.570) < 0.0006);
    CHECK(std::abs(bead_force_in_double(1.0 / 6000) - 29.956) < 0.0006);
    CHECK(std::abs(bead_force_in_double(1.0 / 60000) - 29.9956) < 0.00006);

    // In float, positions are rounded by up to 2⁻²⁵ of a metre, and the force by that over h².
    CHECK(std::abs(bead_force_in_engine(1.0f / 60) - 26.415) < 0.005);
    CHECK(std::abs(bead_force_in_engine(1.0f / 600) - 29.570) < 0.05);
}

TEST_CASE("a pendulum keeps its exact period and its energy at 80 substeps") {
    // The projection loses energy in proportion to h; rounded positions add one or two per cent.
    for (const double amplitude : {0.05, 0.5, 1.5}) {
        CAPTURE(amplitude);
        const Swing swing = swing_of(amplitude, 80);
        CHECK(relative_error(swing.period, exact_period(1, double(9.81f), amplitude)) < 0.01);
        CHECK(swing.drift < 0.025);
    }
}

TEST_CASE("a pendulum loses energy in proportion to the substep") {
    const double at_10 = swing_of(1.5, 10).drift, at_20 = swing_of(1.5, 20).drift,
                 at_40 = swing_of(1.5, 40).drift;
    CHECK(at_10 < 0.16);
    CHECK(relative_error(at_20 / at_10, 0.5) < 0.1);
    CHECK(relative_error(at_40 / at_20, 0.5) < 0.1);
}

TEST_CASE("a small swing takes 2π·√(L/g)") {
    for (const double length : {0.25, 1.0, 4.0}) {
        CAPTURE(length);
        const double expected = 2 * std::numbers::pi * std::sqrt(length / double(9.81f));
        CHECK(relative_error(swing_of(0.05, 40, length).period, expected) < 0.005);
    }
}
