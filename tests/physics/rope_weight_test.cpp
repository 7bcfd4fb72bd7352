// Ropes hold their length at default settings, whatever hangs on them.
#include <pliant/shapes.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

constexpr float rope_mass = 0.1f;  // kg

std::vector<Vec3> line(Vec3 to, int links) { return *make_line({0, 0, 0}, to, links); }

Body rope_to(Vec3 to, int links, std::vector<std::uint32_t> pinned = {0}) {
    Rope rope;
    rope.positions = line(to, links);
    rope.material.linear_density = rope_mass / static_cast<float>(length(to));
    return body_of(std::move(rope), {}, std::move(pinned));
}

Body weight(float mass, Vec3d position) {
    Body body = lone_particle(position);
    std::get<Particles>(body.shape).material.mass = mass;
    return body;
}

// A rope of 1 m whose first particle is pinned, with a weight at its other end.
Description loaded_rope(Vec3 to, int links, float mass) {
    Description scene = scene_of(rope_to(to, links));
    scene.bodies.push_back(weight(mass, to_double(to)));
    scene.attachments.push_back({{0, std::uint32_t(links)}, ParticleReference{1, 0}, {}});
    return scene;
}

// Of the links of one rope of equal links.
double worst_stretch(const Simulation& simulation, std::size_t first, int links, double rope_length) {
    double worst = 0;
    for (std::size_t i = first; i < first + std::size_t(links); ++i) {
        const double now = distance(simulation.view().positions[i], simulation.view().positions[i + 1]);
        worst = std::max(worst, std::abs(now * links / rope_length - 1));
    }
    return worst;
}

}  // namespace

TEST_CASE("a weight of 100 to a million ropes hangs and stretches no link by 0.1 %") {
    for (const int links : {10, 40, 160}) {
        for (const float ratio : {1e2f, 1e4f, 1e6f}) {
            CAPTURE(links);
            CAPTURE(ratio);
            Simulation simulation = start(loaded_rope({0, -1, 0}, links, ratio * rope_mass));
            double worst = 0;
            for (int frame = 0; frame < 120; ++frame) {
                simulation.step();
                worst = std::max(worst, worst_stretch(simulation, 0, links, 1));
            }
            CHECK(worst < 0.001);
            CHECK(distance(simulation.view().positions.back(), {0, -1, 0}) < 0.001);
        }
    }
}

TEST_CASE("a weight thrown from horizontal stretches no link by 1 % and gains no energy") {
    for (const int links : {10, 40, 160}) {
        for (const float ratio : {1.0f, 1e2f, 1e4f, 1e6f}) {
            CAPTURE(links);
            CAPTURE(ratio);
            Simulation simulation = start(loaded_rope({1, 0, 0}, links, ratio * rope_mass));
            const double before = simulation.diagnostics().total_energy;
            const double scale = (1 + double(ratio)) * double(rope_mass) * 9.81;  // J
            double worst = 0, highest = -1e30, lowest_point = 0;
            for (int frame = 0; frame < 180; ++frame) {
                simulation.step();
                worst = std::max(worst, worst_stretch(simulation, 0, links, 1));
                highest = std::max(highest, simulation.diagnostics().total_energy - before);
                lowest_point = std::min(lowest_point, double(simulation.view().positions.back().y));
            }
            CHECK(worst < 0.01);
            CHECK(highest < 1e-6 * scale);
            CHECK(lowest_point < -0.97);  // it swings
        }
    }
}

TEST_CASE("a weight that falls into a slack rope is caught") {
    // The rope goes out and back to where it is pinned; the weight falls 0.8 m before the rope is taut.
    for (const float ratio : {1.0f, 200.0f, 1e4f}) {
        CAPTURE(ratio);
        const int links = 40;
        Description scene = loaded_rope({1, 0, 0}, links, ratio * rope_mass);
        auto& rope = std::get<Rope>(scene.bodies[0].shape);
        for (int i = 0; i <= links; ++i) {
            const int out = std::min(i, links - i);
            rope.positions[std::size_t(i)] = {0.02f * float(out), 0.015f * float(out), 0.0005f * float(i)};
        }
        scene.bodies[1].position = to_double(rope.positions.back());
        const double rope_length = links * distance(rope.positions[0], rope.positions[1]);
        Simulation simulation = start(scene);
        const double before = simulation.diagnostics().total_energy;
        double worst = 0, highest = -1e30;
        for (int frame = 0; frame < 180; ++frame) {
            simulation.step();
            worst = std::max(worst, worst_stretch(simulation, 0, links, rope_length));
            highest = std::max(highest, simulation.diagnostics().total_energy - before);
        }
        CHECK(worst < 0.05);
        CHECK(highest < 1e-6 * (1 + double(ratio)));
    }
}

TEST_CASE("a rope under 1 % strain is as long as F/EA says, at any number of links") {
    const float strain_per_newton = 0.01f / 50;
    for (const int links : {10, 20, 40, 80, 160}) {
        CAPTURE(links);
        Description scene = scene_of(rope_to({0, -1, 0}, links));
        std::get<Rope>(scene.bodies[0].shape).material.stretch = compliant(strain_per_newton);
        scene.settings.gravity = {};
        scene.settings.damping = 0.2f;
        Simulation simulation = start(scene);
        succeed(simulation.set_force(std::uint32_t(links), {0, -50, 0}));
        run(simulation, 300);
        CHECK(relative_error(-1 - double(simulation.view().positions.back().y), 0.01) < 0.005);
    }
}

TEST_CASE("a bridge of rope carries a weight that marches over it") {
    const int links = 40;
    Description scene = scene_of(rope_to({4, 0, 0}, links, {}));
    Body& bridge = scene.bodies[0];
    bridge.pinned = {0, std::uint32_t(links)};
    auto& rope = std::get<Rope>(bridge.shape);
    rope.material.linear_density = 0.5f;
    for (Vec3& p : rope.positions) p.y = -0.12f * p.x * (4 - p.x);  // sags
    std::vector<double> lengths;
    for (std::size_t i = 0; i < std::size_t(links); ++i)
        lengths.push_back(distance(rope.positions[i], rope.positions[i + 1]));
    scene.settings.drag = 0.02f;
    Simulation simulation = start(scene);
    double worst = 0;
    for (int frame = 0; frame < 600; ++frame) {
        const float at = 1 + float(frame) * (links - 2) / 600, share = at - std::floor(at);
        const float force = -785 * std::min(1.0f, float(frame) / 30);  // 80 kg, in half a second
        simulation.clear_forces();
        succeed(simulation.set_force(std::uint32_t(at), {0, force * (1 - share), 0}));
        succeed(simulation.set_force(std::uint32_t(at) + 1, {0, force * share, 0}));
        simulation.step();
        for (std::size_t i = 0; i < std::size_t(links); ++i) {
            const double now = distance(simulation.view().positions[i], simulation.view().positions[i + 1]);
            worst = std::max(worst, std::abs(now / lengths[i] - 1));
        }
    }
    CHECK(worst < 0.01);
}

TEST_CASE("three ropes that are tied to one weight carry it together") {
    const int links = 20;
    Description scene;
    const Vec3 ends[3] = {{0.8f, 0.6f, 0}, {-0.4f, 0.6f, 0.7f}, {-0.4f, 0.6f, -0.7f}};
    for (const Vec3& end : ends) scene.bodies.push_back(rope_to(end, links, {std::uint32_t(links)}));
    scene.bodies.push_back(weight(20, {}));
    for (std::uint32_t i = 0; i < 3; ++i) scene.attachments.push_back({{i, 0}, ParticleReference{3, 0}, {}});
    Simulation simulation = start(scene);
    double worst = 0;
    for (int frame = 0; frame < 240; ++frame) {
        simulation.step();
        for (std::size_t i = 0; i < 3; ++i)
            worst = std::max(worst, worst_stretch(simulation, i * (links + 1), links, length(ends[i])));
    }
    CHECK(worst < 0.001);
    CHECK(length(simulation.view().positions.back()) < 0.001);
}

TEST_CASE("a free rope keeps its linear and angular momentum to 1e-6") {
    Description scene = scene_of(rope_to({1, 0, 0}, 30, {}));
    scene.settings.gravity = {};
    Simulation simulation = start(scene);
    for (std::uint32_t i = 0; i <= 30; ++i) {
        const float s = float(i) / 30;
        succeed(simulation.set_velocity(i, {1, 9 * s * s, i % 2 ? 1.0f : -6 * s}));
    }
    simulation.step();  // after which no link pulls at another's speed
    const Diagnostics before = simulation.diagnostics();
    run(simulation, 300);
    const Diagnostics now = simulation.diagnostics();
    CHECK(length(now.momentum - before.momentum) < 1e-6 * length(before.momentum));
    CHECK(length(now.angular_momentum - before.angular_momentum) < 1e-6 * length(before.angular_momentum));
}

namespace {

// Linear, and angular about the centre of mass, of a body of equal segments, over its mass per particle.
struct Momentum {
    Vec3d linear{}, spin{};
};
Momentum momentum_of(const View& view) {
    Vec3d center{}, linear{};
    double mass = 0;
    const auto for_each = [&](const auto& f) {
        const std::size_t last = view.positions.size() - 1;
        for (std::size_t i = 0; i <= last; ++i) {
            f(i == 0 || i == last ? 0.5 : 1.0, to_double(view.positions[i]), to_double(view.velocities[i]));
        }
    };
    for_each([&](double m, const Vec3d& x, const Vec3d& v) {
        mass += m;
        center = center + x * m;
        linear = linear + v * m;
    });
    Momentum sum{linear, {}};
    for_each([&](double m, const Vec3d& x, const Vec3d& v) {
        sum.spin = sum.spin + cross(x - center * (1 / mass), v - linear * (1 / mass)) * m;
    });
    return sum;
}

}  // namespace

TEST_CASE("a free rope, rod or strand of 5 to 200 links keeps its momentum and its spin to 1e-6") {
    for (const std::uint32_t links : {5u, 20u, 60u, 200u}) {
        for (const char* kind : {"rope", "rod", "hair"}) {
            CAPTURE(links);
            CAPTURE(std::string(kind));
            Body body = rope_to({1, 0, 0}, int(links), {});
            if (kind == std::string("rod")) std::get<Rope>(body.shape).material.bending = 0.01f;
            if (kind == std::string("hair")) {
                Hair hair;
                hair.positions = line({1, 0, 0}, int(links));
                hair.points = links + 1;
                body.shape = hair;
            }
            Description scene = scene_of(body);
            scene.settings.gravity = {};
            Simulation simulation = start(scene);
            for (std::uint32_t i = 0; i <= links; ++i) {
                const float s = float(i) / float(links);
                succeed(simulation.set_velocity(i, {1, 6 * s * s - 2, std::sin(7 * s)}));
            }
            simulation.step();  // after which no link pulls at another's speed
            const Momentum before = momentum_of(simulation.view());
            run(simulation, 120);
            const Momentum now = momentum_of(simulation.view());
            CHECK(length(now.linear - before.linear) < 1e-6 * length(before.linear));
            CHECK(length(now.spin - before.spin) < 1e-6 * length(before.spin));
        }
    }
}

TEST_CASE("a rope that attachments pull apart stays finite") {
    Description scene = scene_of(rope_to({1, 0, 0}, 12, {}));
    scene.attachments.push_back({{0, 0}, Vec3d{0, 0, 0}, {}});
    scene.attachments.push_back({{0, 0}, Vec3d{0, 3, 0}, {}});
    scene.attachments.push_back({{0, 12}, Vec3d{5, 0, 0}, {}});
    Simulation simulation = start(scene);
    run(simulation, 120);
    CHECK(all_finite(simulation.view()));
    CHECK(simulation.diagnostics().worst_constraint_error > 1);  // and is seen to be too long
    double farthest = 0;
    for (const Vec3& p : simulation.view().positions) farthest = std::max(farthest, length(p));
    CHECK(farthest < 6);
}
