// Ropes that resist bending, against Euler and Bernoulli.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

// A rope of 1 m along x. Its first two particles are pinned: clamped in the middle of the first segment.
Description clamped_rope(int segments, float bending, const Settings& settings) {
    Rope rope;
    rope.positions = *make_line({0, 0, 0}, {1, 0, 0}, segments);
    rope.material.bending = bending;
    return scene_of(body_of(std::move(rope), {}, {0, 1}), settings);
}

double tip_sag(int segments, float bending) {
    Settings settings;
    settings.drag = 0.2f;
    Simulation simulation = start(clamped_rope(segments, bending, settings));
    run(simulation, 240);
    return -double(simulation.view().positions.back().y);
}

}  // namespace

TEST_CASE("a rope without bending stiffness hangs limp") { CHECK(tip_sag(10, 0) > 0.8); }

TEST_CASE("a curved rope keeps its curve, straightens and rolls up with its curl") {
    // A quarter of a circle of radius 1 m.
    constexpr int segments = 16;
    Rope rope;
    for (int i = 0; i <= segments; ++i) {
        const double angle = std::numbers::pi / 2 * i / segments;
        rope.positions.push_back(
            {static_cast<float>(std::sin(angle)), static_cast<float>(1 - std::cos(angle)), 0});
    }
    rope.material.bending = 0.5f;
    Settings settings;
    settings.gravity = {};
    settings.drag = 0.1f;
    Simulation simulation = start(scene_of(body_of(std::move(rope), {}, {0, 1}), settings));
    const auto radius = [&] {  // of the circle through three points
        const auto at = [&](std::size_t i) { return to_double(simulation.view().positions[i]); };
        const Vec3d a = at(4), b = at(9), c = at(14);
        return length(a - b) * length(b - c) * length(c - a) / (2 * length(cross(b - a, c - a)));
    };
    run(simulation, 60);
    CHECK(relative_error(radius(), 1) < 1e-3);
    succeed(simulation.set_material_constant("body0", "bending", "curl", 2));
    run(simulation, 300);
    CHECK(relative_error(radius(), 0.5) < 0.02);
    succeed(simulation.set_material_constant("body0", "bending", "curl", 0));
    run(simulation, 300);
    CHECK(radius() > 20);
}

TEST_CASE("bad bending is an error") {
    CHECK(!Simulation::create(clamped_rope(4, -1, {})));
    CHECK(!Simulation::create(clamped_rope(4, std::numeric_limits<float>::quiet_NaN(), {})));
    Simulation simulation = start(clamped_rope(4, 1, {}));
    CHECK(!simulation.set_material_constant("body0", "bending", "curls", 1));
    CHECK(!simulation.set_material_constant("body0", "stretch", "curl", 1));
    CHECK(!simulation.set_material_constant("body0", "seam", "curl", 1));
    CHECK(!simulation.set_material_constant("body0", "bending", "curl",
                                            std::numeric_limits<float>::infinity()));
}
