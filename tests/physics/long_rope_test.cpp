// Ropes of many links, which are solved in pieces side by side, keep what shorter ones keep: their length,
// energy, momentum and stiffness, at default settings.
#include <doctest/doctest.h>
#include <pliant/shapes.h>

#include <algorithm>
#include <cmath>

#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

constexpr float linear_density = 0.1f;  // kg/m

Description rope_along(Vec3 to, int links, std::vector<std::uint32_t> pinned = {0}) {
    Rope rope;
    rope.positions = *make_line({0, 0, 0}, to, links);
    rope.material.linear_density = linear_density;
    return scene_of(body_of(std::move(rope), {}, std::move(pinned)));
}

// At the end of a rope of 1 m; ratio: to the mass of the rope.
Description loaded_rope(Vec3 to, int links, float ratio) {
    Description scene = rope_along(to, links);
    if (!(ratio > 0)) return scene;
    Body weight = lone_particle(to_double(to));
    std::get<Particles>(weight.shape).material.mass = ratio * linear_density;
    scene.bodies.push_back(weight);
    scene.attachments.push_back({{0, std::uint32_t(links)}, ParticleReference{1, 0}, {}});
    return scene;
}

double worst_stretch(const Simulation& simulation, int links, double rope_length) {
    double worst = 0;
    for (std::size_t i = 0; i < std::size_t(links); ++i) {
        const double now = distance(simulation.view().positions[i], simulation.view().positions[i + 1]);
        worst = std::max(worst, std::abs(now * links / rope_length - 1));
    }
    return worst;
}

}  // namespace

TEST_CASE("a long rope let go from horizontal stretches no link by 1 % and gains no energy") {
    for (const int links : {256, 271, 700}) {  // with different joints between pieces
        for (const float ratio : {0.0f, 1.0f, 100.0f, 1e4f}) {
            CAPTURE(links);
            CAPTURE(ratio);
            Simulation simulation = start(loaded_rope({1, 0, 0}, links, ratio));
            const double before = simulation.diagnostics().total_energy;
            const double scale = (1 + double(ratio)) * double(linear_density) * 9.81;  // J
            double worst = 0, highest = -1e30, lowest_point = 0;
            for (int frame = 0; frame < 100; ++frame) {
                simulation.step();
                worst = std::max(worst, worst_stretch(simulation, links, 1));
                highest = std::max(highest, simulation.diagnostics().total_energy - before);
                lowest_point = std::min(lowest_point, double(simulation.view().positions.back().y));
            }
            CHECK(worst < 0.01);
            CHECK(highest < 1e-6 * scale);
            CHECK(lowest_point < -0.9);  // it swings
        }
    }
}

TEST_CASE("a long rope holds a weight of 100 to a million ropes within 0.1 %") {
    for (const float ratio : {1e2f, 1e4f, 1e6f}) {
        CAPTURE(ratio);
        const int links = 500;
        Simulation simulation = start(loaded_rope({0, -1, 0}, links, ratio));
        double worst = 0;
        for (int frame = 0; frame < 60; ++frame) {
            simulation.step();
            worst = std::max(worst, worst_stretch(simulation, links, 1));
        }
        CHECK(worst < 0.001);
        CHECK(distance(simulation.view().positions.back(), {0, -1, 0}) < 0.001);
    }
}

TEST_CASE("a long rope that swings goes the way of one of 200 links") {
    Simulation one = start(rope_along({10, 0, 0}, 3200)), other = start(rope_along({10, 0, 0}, 200));
    double farthest = 0;
    for (int frame = 0; frame < 60; ++frame) {
        one.step();
        other.step();
        for (std::size_t i = 0; i <= 200; ++i)
            farthest = std::max(farthest, distance(one.view().positions[i * 16], other.view().positions[i]));
    }
    CHECK(farthest < 0.03);  // m, of ropes that end in half a link more or less
}

TEST_CASE("a long rope under 1 % strain is as long as F/EA says") {
    for (const int links : {320, 1000}) {
        CAPTURE(links);
        Description scene = rope_along({0, -1, 0}, links);
        std::get<Rope>(scene.bodies[0].shape).material.stretch = compliant(0.01f / 50);
        scene.settings.gravity = {};
        scene.settings.damping = 0.2f;
        Simulation simulation = start(scene);
        succeed(simulation.set_force(std::uint32_t(links), {0, -50, 0}));
        run(simulation, 300);
        CHECK(relative_error(-1 - double(simulation.view().positions.back().y), 0.01) < 0.005);
    }
}

TEST_CASE("a free long rope keeps its momentum to 1e-6") {
    const std::uint32_t links = 400;
    Description scene = rope_along({1, 0, 0}, int(links), {});
    scene.settings.gravity = {};
    Simulation simulation = start(scene);
    for (std::uint32_t i = 0; i <= links; ++i) {
        const float s = float(i) / float(links);
        succeed(simulation.set_velocity(i, {1, 9 * s * s - 3, std::sin(9 * s)}));
    }
    simulation.step();  // after which no link pulls at another's speed
    const Diagnostics before = simulation.diagnostics();
    run(simulation, 120);
    const Diagnostics now = simulation.diagnostics();
    CHECK(length(now.momentum - before.momentum) < 1e-6 * length(before.momentum));
    CHECK(length(now.angular_momentum - before.angular_momentum) < 1e-6 * length(before.angular_momentum));
    CHECK(worst_stretch(simulation, int(links), 1) < 0.01);
}

TEST_CASE("a long rope goes on calmly when substeps change, with several iterations, and when let go") {
    Description scene = rope_along({2, 0, 0}, 300, {0, 300});
    auto& rope = std::get<Rope>(scene.bodies[0].shape);
    for (Vec3& p : rope.positions) p.y = -0.3f * p.x * (2 - p.x);
    Simulation simulation = start(scene);
    double before = simulation.diagnostics().total_energy;
    const auto calm = [&](int frames) {
        double worst = 0;
        for (int frame = 0; frame < frames; ++frame) {
            simulation.step();
            for (std::size_t i = 0; i < 300; ++i) {
                const double rest = distance(rope.positions[i], rope.positions[i + 1]);
                worst = std::max(worst, std::abs(distance(simulation.view().positions[i],
                                                          simulation.view().positions[i + 1]) /
                                                     rest -
                                                 1));
            }
        }
        CHECK(worst < 0.01);
        CHECK(simulation.diagnostics().total_energy < before + 1e-4);
        before = simulation.diagnostics().total_energy;
    };
    calm(30);
    for (const Settings& settings : {with_substeps(3), with_substeps(25), with_substeps(5, 3)}) {
        succeed(simulation.configure(settings));
        calm(20);
    }
    succeed(simulation.unpin(300));
    calm(40);
    CHECK(double(simulation.view().positions[300].y) < -0.5);
}

TEST_CASE("a rope that falls upright onto the ground lies there in full length") {
    // Particles that came down in one point part again, in one chain (100) and in pieces (263).
    for (const int links : {100, 263}) {
        CAPTURE(links);
        const double link = 0.0038;
        Description scene = rope_along({0, float(-link * links), 0}, links, {});
        Collider ground;
        ground.shape = Plane{{0, -link * links - 0.8, 0}, {0, 1, 0}};
        scene.colliders = {ground};
        Simulation simulation = start(scene);
        const double before = simulation.diagnostics().total_energy;
        double highest = -1e30;
        for (int frame = 0; frame < 300; ++frame) {
            simulation.step();
            highest = std::max(highest, simulation.diagnostics().total_energy - before);
        }
        CHECK(worst_stretch(simulation, links, link * links) < 0.02);
        CHECK(highest < 1e-6);
    }
}

TEST_CASE("a long rope that attachments pull apart stays finite, and is reported") {
    Description scene = rope_along({1, 0, 0}, 400, {});
    scene.attachments.push_back({{0, 0}, Vec3d{0, 0, 0}, {}});
    scene.attachments.push_back({{0, 0}, Vec3d{0, 3, 0}, {}});
    scene.attachments.push_back({{0, 400}, Vec3d{5, 0, 0}, {}});
    Simulation simulation = start(scene);
    run(simulation, 60);
    CHECK(all_finite(simulation.view()));
    CHECK(simulation.diagnostics().worst_constraint_error > 1);
    double farthest = 0;
    for (const Vec3& p : simulation.view().positions) farthest = std::max(farthest, length(p));
    CHECK(farthest < 6);
}
