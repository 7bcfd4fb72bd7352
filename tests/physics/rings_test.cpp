// Beads and pulleys: what slides along a rope without friction, against closed forms.
#include <doctest/doctest.h>
#include <pliant/shapes.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

constexpr double gravity = 9.81, pi = std::numbers::pi;

Body rope_through(std::vector<Vec3> positions, float linear_density, std::vector<std::uint32_t> pinned = {}) {
    Rope rope;
    rope.positions = std::move(positions);
    rope.material.linear_density = linear_density;
    Body body = body_of(std::move(rope), {}, std::move(pinned));
    body.contact.bodies = false;
    return body;
}

Body weight(float mass, Vec3d position) {
    Body body = lone_particle(position);
    std::get<Particles>(body.shape).material.mass = mass;
    body.contact.bodies = false;
    return body;
}

// A rope of 1.2 m over a pulley at a height of 1 m, with a weight at each end.
Description atwood(float left, float right, float linear_density, bool is_pulley_free = false) {
    std::vector<Vec3> positions;
    for (int i = 0; i <= 120; ++i) positions.push_back({0, 1 - 0.01f * float(std::abs(i - 60)), 0});
    Description scene = scene_of(rope_through(std::move(positions), linear_density));
    scene.bodies.push_back(weight(left, {0, 0.4, 0}));
    scene.bodies.push_back(weight(right, {0, 0.4, 0}));
    scene.bodies.push_back(weight(1, {0, 1, 0}));
    if (!is_pulley_free) scene.bodies[3].pinned = {0};
    scene.attachments.push_back({{0, 0}, ParticleReference{1, 0}, {}});
    scene.attachments.push_back({{0, 120}, ParticleReference{2, 0}, {}});
    scene.rings.push_back({{3, 0}, 0});
    return scene;
}

Vec3 position_of(const Simulation& simulation, std::size_t body) {
    return simulation.view().positions[simulation.view().bodies[body].first_particle];
}

}  // namespace

TEST_CASE("two weights over a pulley move by (m₁ − m₂)/(m₁ + m₂)·g, heavy rope or light") {
    for (const float linear_density : {0.001f, 0.1f}) {
        for (const float right : {1.2f, 1.5f, 3.0f}) {
            CAPTURE(linear_density);
            CAPTURE(right);
            Simulation simulation = start(atwood(1, right, linear_density));
            const double before = simulation.diagnostics().total_energy, rope = 1.2 * double(linear_density);
            double worst = 0, highest = -1e30, lowest = 1e30;
            // As the rope runs over, its own weight adds to the heavier side: s̈ = a + k²·s.
            const double sum = 1 + double(right) + rope, a = (double(right) - 1) * gravity / sum,
                         k = std::sqrt(2 * double(linear_density) * gravity / sum);
            for (int frame = 1; frame <= 120; ++frame) {
                simulation.step();
                const double t = frame / 60.0, expected = a / (k * k) * (std::cosh(k * t) - 1);
                if (expected > 0.5) break;
                const double fallen = 0.4 - double(position_of(simulation, 2).y),
                             risen = double(position_of(simulation, 1).y) - 0.4;
                worst = std::max(worst, std::abs(fallen - risen));
                if (expected > 0.05) CHECK(relative_error(fallen, expected) < 0.02);
                const double energy = simulation.diagnostics().total_energy - before;
                highest = std::max(highest, energy);
                lowest = std::min(lowest, energy);
            }
            CHECK(worst < 0.001 * 1.2);  // the rope keeps its length
            CHECK(highest < 0.01 * sum * gravity * 0.5);
            CHECK(lowest > -0.01 * sum * gravity * 0.5);
        }
    }
}

TEST_CASE("a bead on a bent wire loses less than 1 % of its energy in a second, and gains none") {
    // A half circle of radius 0.5 m, held everywhere: the bead is a pendulum that starts at 60°.
    std::vector<Vec3> wire;
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i <= 96; ++i) {
        const double angle = pi * i / 96;
        wire.push_back({float(-0.5 * std::cos(angle)), float(-0.5 * std::sin(angle)), 0});
        all.push_back(i);
    }
    Description scene = scene_of(rope_through(wire, 0.1f, all));
    scene.bodies.push_back(weight(0.1f, to_double(wire[16]) * 0.5 + to_double(wire[17]) * 0.5));
    scene.rings.push_back({{1, 0}, 0});
    Simulation simulation = start(scene);
    const double before = simulation.diagnostics().total_energy;
    double worst = 0, highest = -1, far = -1;
    for (int frame = 0; frame < 300; ++frame) {
        simulation.step();
        const Vec3 p = position_of(simulation, 1);
        worst = std::max(worst, std::abs(std::hypot(double(p.x), double(p.y)) - 0.5));
        const double energy = (simulation.diagnostics().total_energy - before) / (0.1 * gravity * 0.25);
        highest = std::max(highest, energy);
        CHECK(energy > -0.01 * (1 + frame / 60.0));
        if (frame > 150) far = std::max(far, double(p.x));
    }
    CHECK(worst < 0.002);
    CHECK(highest < 1e-4);
    CHECK(far > 0.42);  // it comes up as far as it started, at 0.43
}

TEST_CASE("a heavy bead on a light rope between two nails swings on an ellipse") {
    // Rope of 2a between nails 2c apart: the bead goes along the ellipse with these foci. About its lowest
    // point ω² = g·b/a².
    const double a = 0.6, c = 0.4, b = std::sqrt(a * a - c * c), x = 0.06;
    const Vec3 bead{float(x), float(-b * std::sqrt(1 - x * x / (a * a))), 0};
    std::vector<Vec3> rope = *make_line({float(-c), 0, 0}, bead, 30);
    const std::vector<Vec3> right = *make_line(bead, {float(c), 0, 0}, 27);
    rope.insert(rope.end(), right.begin() + 1, right.end());
    Description scene = scene_of(rope_through(rope, 0.002f, {0, 57}));
    scene.bodies.push_back(weight(1, to_double(bead)));
    scene.rings.push_back({{1, 0}, 0});
    Simulation simulation = start(scene);
    double first = 0, last = 0, worst = 0;
    int crossings = 0;
    for (int frame = 0; frame < 480; ++frame) {
        const double before = position_of(simulation, 1).x;
        simulation.step();
        const Vec3 p = position_of(simulation, 1);
        const double sum = distance(p, {float(-c), 0, 0}) + distance(p, {float(c), 0, 0});
        worst = std::max(worst, std::abs(sum / (2 * a) - 1));
        if (!(before < 0 && p.x >= 0)) continue;
        last = (frame + before / (before - double(p.x))) / 60;
        if (crossings++ == 0) first = last;
    }
    REQUIRE(crossings > 2);
    CHECK(worst < 0.002);
    const double expected = std::sqrt(gravity * b) / a / (2 * pi);
    CHECK(relative_error((crossings - 1) / (last - first), expected) < 0.02);
}

TEST_CASE("a pulley in free fall keeps momentum, and a rope stays on its rings") {
    Description scene = atwood(1, 2, 0.05f, true);
    scene.settings.gravity = {};
    for (const std::size_t b : {1u, 2u}) scene.bodies[b].velocity = {0, b == 1 ? 0.5f : -0.5f, 0};
    Simulation simulation = start(scene);
    const Vec3d before = simulation.diagnostics().momentum;
    for (int frame = 0; frame < 60; ++frame) {
        simulation.step();
        CHECK(length(simulation.diagnostics().momentum - before) < 1e-3);
        CHECK(all_finite(simulation.view()));
    }
}

TEST_CASE("rings are restored, and run the same on any number of threads") {
    Description scene = atwood(1, 1.5f, 0.01f);
    Execution one, two;
    one.threads = 1;
    two.threads = 2;
    auto first = Simulation::create(scene, one), second = Simulation::create(scene, two);
    REQUIRE(first);
    REQUIRE(second);
    Simulation &a = *first, &b = *second;
    run(a, 20);
    run(b, 20);
    CHECK(a.state_hash() == b.state_hash());
    const auto saved = a.save();
    run(a, 20);
    succeed(b.restore(saved));
    run(b, 20);
    CHECK(a.state_hash() == b.state_hash());
}

TEST_CASE("bad rings are errors that say where") {
    const auto error_of = [](auto change) {
        Description scene = atwood(1, 1.5f, 0.01f);
        change(scene);
        const auto made = Simulation::create(scene);
        return made ? std::string() : made.error().text();
    };
    CHECK(error_of([](Description&) {}).empty());
    CHECK(error_of([](Description& d) { d.rings[0].rope = 1; }).find("/rings/0/rope") != std::string::npos);
    CHECK(error_of([](Description& d) { d.rings[0].rope = 9; }).find("/rings/0/rope") != std::string::npos);
    CHECK(error_of([](Description& d) { d.rings[0].particle.particle = 4; }).find("/rings/0/particle") !=
          std::string::npos);
    CHECK(error_of([](Description& d) {
              d.rings[0].particle = {0, 3};
          }).find("/rings/0/particle") != std::string::npos);
    CHECK(error_of([](Description& d) {
              std::get<Rope>(d.bodies[0].shape).material.bending = 1;
          }).find("/rings/0/rope") != std::string::npos);
    CHECK(error_of([](Description& d) { d.rings.assign(20, d.rings[0]); }).find("at most 16") !=
          std::string::npos);
    CHECK(error_of([](Description& d) { d.settings.method = Method::pbd; }).find("/settings/method") !=
          std::string::npos);
}
