// Friction and bounces of bodies on colliders at default settings, against closed forms.
#include <doctest/doctest.h>
#include <pliant/shapes.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

constexpr double g = 9.81, pi = 3.14159265358979;

Body block() {
    SoftBody box;
    box.mesh = *make_box({0.4f, 0.2f, 0.4f}, {4, 2, 4});
    return body_of(std::move(box), {0, 0.1, 0});
}

double center_x(const Simulation& simulation) {
    double sum = 0;
    for (const Vec3& p : simulation.view().positions) sum += double(p.x);
    return sum / static_cast<double>(simulation.view().positions.size());
}

// Gravity as on a slope with tan θ = share · μ.
void tilt(Simulation& simulation, double slope) {
    Settings settings = simulation.settings();
    const double size = std::sqrt(1 + slope * slope);
    settings.gravity = {float(g * slope / size), float(-g / size), 0};
    succeed(simulation.configure(settings));
}

}  // namespace

TEST_CASE(
    "a soft block on a slope that grows steeper slides just when tan θ > μ, and creeps nowhere before") {
    // Friction of the collider and of the body, and of both together: μ_c·√(μ_b/0.5).
    struct Pair {
        float collider, body;
        double both;
    };
    for (const Pair& pair :
         {Pair{0.3f, 0.5f, 0.3}, {0.5f, 0.5f, 0.5}, {0.8f, 0.5f, 0.8}, {0.5f, 0.18f, 0.3}}) {
        CAPTURE(pair.both);
        Description scene = scene_of(block());
        scene.bodies[0].contact.friction = pair.body;
        scene.colliders.push_back({Plane{}, pair.collider, 0});
        Simulation simulation = start(scene);
        for (int frame = 0; frame < 180; ++frame) {
            tilt(simulation, 0.9 * pair.both * frame / 180);
            simulation.step();
        }
        run(simulation, 120);
        const double before = center_x(simulation);
        run(simulation, 120);
        const double creep = (center_x(simulation) - before) / 2;
        MESSAGE("creep at 0.9 of the limit: " << creep * 1000 << " mm/s");
        CHECK(std::abs(creep) < 1e-5);
        double slides = 0, last = center_x(simulation);
        for (int frame = 0; frame < 600 && slides == 0; ++frame) {
            const double share = 0.9 + 0.2 * frame / 600;
            tilt(simulation, share * pair.both);
            simulation.step();
            const double now = center_x(simulation);
            if ((now - last) * 60 > 0.005) slides = share;
            last = now;
        }
        MESSAGE("slides at " << slides << " of the limit");
        CHECK(std::abs(slides - 1) < 0.02);
    }
}

TEST_CASE("a block that slides stops after v²/2μg") {
    for (const double v : {1.0, 3.0}) {
        for (const double mu : {0.2, 0.4, 0.8}) {
            CAPTURE(v);
            CAPTURE(mu);
            Description scene = scene_of(block());
            scene.bodies[0].velocity = {float(v), 0, 0};
            scene.colliders.push_back({Plane{}, float(mu), 0});
            Simulation simulation = start(scene);
            const double before = center_x(simulation);
            run(simulation, 240);
            const double error = (center_x(simulation) - before) / (v * v / (2 * mu * g)) - 1;
            MESSAGE("v " << v << ", μ " << mu << ": off by " << error * 100 << " %");
            CHECK(std::abs(error) < 0.02);
        }
    }
}

TEST_CASE("a particle bounces to e² of its height, by its own restitution or the collider's") {
    for (const bool by_body : {false, true}) {
        for (const double e : {0.3, 0.5, 0.8, 1.0}) {
            for (const double height : {0.3, 0.5, 0.77, 1.0, 1.3, 2.0}) {
                CAPTURE(e);
                CAPTURE(height);
                Description scene = scene_of(lone_particle({0, height, 0}));
                scene.bodies[0].contact.restitution = by_body ? float(e) : 0;
                scene.colliders.push_back({Plane{}, 0.5f, by_body ? 0 : float(e)});
                Simulation simulation = start(scene);
                while (simulation.view().velocities[0].y <= 0 && simulation.view().frame < 100)
                    simulation.step();
                double top = 0;
                for (int frame = 0; frame < 100; ++frame) {
                    top = std::max(top, double(simulation.view().positions[0].y));
                    simulation.step();
                }
                CHECK(relative_error(top, e * e * height) < 0.03);
            }
        }
    }
}

// A rope over half a bar holds weights at its ends up to a ratio of e^{μπ}.
TEST_CASE("a rope over a bar holds at 0.95 of a ratio of e^{μφ} of its tensions, and runs at 1.05 of it") {
    constexpr double mu = 0.3, radius = 0.1, side = 0.5;
    constexpr int around = 40, down = 63;
    for (const double share : {0.95, 1.05}) {
        CAPTURE(share);
        Rope rope;
        for (int i = 0; i <= down; ++i)
            rope.positions.push_back({float(-radius), float(-side + i * side / down), 0});
        for (int i = 1; i < around; ++i) {
            const double angle = pi * (1 - double(i) / around);
            rope.positions.push_back({float(radius * std::cos(angle)), float(radius * std::sin(angle)), 0});
        }
        for (int i = 0; i <= down; ++i) rope.positions.push_back({float(radius), float(-i * side / down), 0});
        const auto last = static_cast<std::uint32_t>(rope.positions.size() - 1);
        // What hangs at either side, with the weight of the rope there.
        const double hanging = 0.1 * side, light = 1 - hanging, heavy = std::exp(mu * pi) * share - hanging;
        Particles weights;
        weights.positions = {rope.positions.front(), rope.positions.back()};
        weights.masses = {float(light), float(heavy)};
        Description scene = scene_of(body_of(std::move(rope), {0, 2, 0}));
        scene.bodies.push_back(body_of(std::move(weights), {0, 2, 0}));
        scene.attachments = {{{0, 0}, ParticleReference{1, 0}, {}}, {{0, last}, ParticleReference{1, 1}, {}}};
        scene.colliders.push_back({Cylinder{{0, 2, -0.2}, {0, 2, 0.2}, float(radius)}, float(mu), 0});
        Simulation simulation = start(scene);
        run(simulation, 60);
        const double before = simulation.view().positions[last + 2].y;
        run(simulation, 60);
        const double speed = before - double(simulation.view().positions[last + 2].y);
        MESSAGE("at " << share << " of the limit it slips by " << speed * 1000 << " mm/s");
        if (share < 1) CHECK(std::abs(speed) < 1e-4);
        if (share > 1) CHECK(speed > 0.1);
    }
}
