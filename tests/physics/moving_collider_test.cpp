// Colliders that move: they carry, drag and push, and nothing slips through them.
#include <doctest/doctest.h>

#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

Description particle_and(const ColliderShape& shape, Vec3d position, float radius = 0) {
    Description scene = scene_of(lone_particle(position));
    scene.bodies[0].radius = radius;
    Collider collider;
    collider.shape = shape;
    scene.colliders.push_back(collider);
    return scene;
}

Plane floor_at(Vec3d point) {
    Plane plane;
    plane.point = point;
    return plane;
}

}  // namespace

TEST_CASE("a rising floor carries a particle with it, at its speed") {
    Simulation simulation = start(particle_and(floor_at({}), {0, 0, 0}));
    for (int frame = 1; frame <= 60; ++frame) {
        succeed(simulation.move_collider(0, floor_at({0, frame / 60.0, 0})));
        simulation.step();
        REQUIRE(std::abs(simulation.view().positions[0].y - frame / 60.0) < 1e-4);
    }
    CHECK(std::abs(simulation.view().velocities[0].y - 1) < 0.01);
    CHECK(std::get<Plane>(simulation.colliders()[0].shape).point.y == 1);
    // It stops at once; what it carried flies on, v²/2g = 5 cm high, and falls back.
    double highest = 0;
    for (int frame = 0; frame < 60; ++frame) {
        simulation.step();
        highest = std::max<double>(highest, simulation.view().positions[0].y);
    }
    CHECK(std::abs(highest - 1.051) < 0.003);
    CHECK(std::abs(simulation.view().positions[0].y - 1) < 1e-4);
}

TEST_CASE("a belt drags what lies on it by friction, up to its own speed") {
    Simulation simulation = start(particle_and(floor_at({}), {0, 0, 0}));
    const double frame_time = simulation.settings().time_step;
    for (int frame = 1; frame <= 60; ++frame) {
        succeed(simulation.move_collider(0, floor_at({2 * frame * frame_time, 0, 0})));
        simulation.step();
        // μ·g·t with μ = 0.5, at most 2 m/s
        const double expected = std::min(0.5 * 9.81 * frame * frame_time, 2.0);
        REQUIRE(std::abs(simulation.view().velocities[0].x - expected) < 0.03);
    }
}

TEST_CASE("a ball at 200 m/s does not pass through a particle") {
    Sphere ball;
    ball.radius = 0.1f;
    ball.center = {-5, 0.01, 0};
    for (const int substeps : {1, 10}) {
        CAPTURE(substeps);
        Description scene = particle_and(ball, {0, 0, 0});
        scene.settings.substeps = substeps;
        scene.settings.gravity = {};
        Simulation simulation = start(scene);
        Sphere there = ball;
        for (int frame = 1; frame <= 4; ++frame) {
            there.center.x = -5 + frame * 200 / 60.0;
            succeed(simulation.move_collider(0, there));
            simulation.step();
            const Vec3 x = simulation.view().positions[0];
            REQUIRE(distance(x, {static_cast<float>(there.center.x), 0.01f, 0}) > 0.0999);
        }
        CHECK(simulation.view().positions[0].x > 5);
    }
}

TEST_CASE("a turning box takes along what stands on it") {
    // A turntable: one turn in two seconds, a particle 0.2 m from its axis. 0.2·ω² = 1.97 < μ·g = 4.9.
    Box table;
    table.center = {0, -0.5, 0};
    table.half_extents = {1, 0.5f, 1};
    Simulation simulation = start(particle_and(table, {0.2, 0, 0}));
    const double omega = 3.14159265358979;
    double angle = 0;
    for (int frame = 1; frame <= 120; ++frame) {
        angle = std::min(1.0, frame / 60.0) * omega * frame / 60 / 2 +
                (frame > 60 ? (frame - 60) / 60.0 * omega / 2 : 0);  // starts gently
        table.rotation = {0, static_cast<float>(std::sin(angle / 2)), 0,
                          static_cast<float>(std::cos(angle / 2))};
        succeed(simulation.move_collider(0, table));
        simulation.step();
    }
    const Vec3 x = simulation.view().positions[0];
    CHECK(std::abs(std::hypot(x.x, x.z) - 0.2) < 0.02);
    // Turning about y takes x towards −z.
    CHECK(std::abs(std::remainder(std::atan2(-x.z, x.x) - angle, 2 * omega)) < 0.05);
}

TEST_CASE("a bar that sweeps round pushes what is in its way, and does not pass it") {
    for (const int substeps : {1, 10}) {
        // Turns per second: at most 10° in a substep.
        for (const double speed : {0.5, 1.5 * substeps}) {
            CAPTURE(substeps);
            CAPTURE(speed);
            const auto bar_at = [](double angle) {
                const Vec3d half{std::cos(angle), 0, -std::sin(angle)};
                return Capsule{half * -1, half, 0.05f};
            };
            Description scene = particle_and(bar_at(0), {0.6, 0, -0.4});
            scene.settings.substeps = substeps;
            scene.settings.gravity = {};
            Simulation simulation = start(scene);
            const int frames = 1 + static_cast<int>(15 / speed);
            for (int frame = 1; frame <= frames; ++frame) {
                const double angle = 2 * 3.14159265358979 * speed * std::min(frame / 60.0, 0.25 / speed);
                succeed(simulation.move_collider(0, bar_at(angle)));
                simulation.step();
            }
            // A quarter turn about y takes the bar to −z, and what was before it to the other side.
            CHECK(simulation.view().positions[0].x < -0.04);
            CHECK(all_finite(simulation.view()));
        }
    }
}

TEST_CASE("a bar that is pulled along drags what lies on it by friction") {
    const auto bar_at = [](double x) { return Capsule{{x - 5, -0.5, 0}, {x + 5, -0.5, 0}, 0.5f}; };
    Simulation simulation = start(particle_and(bar_at(0), {0, 0, 0}));
    const double frame_time = simulation.settings().time_step;
    for (int frame = 1; frame <= 60; ++frame) {
        succeed(simulation.move_collider(0, bar_at(2 * frame * frame_time)));
        simulation.step();
        const double expected = std::min(0.5 * 9.81 * frame * frame_time, 2.0);
        REQUIRE(std::abs(simulation.view().velocities[0].x - expected) < 0.03);
    }
}

TEST_CASE("a collider moves as far in one substep as in forty, and a saved run repeats its motion") {
    Vec3 ends[2];
    for (int i = 0; i < 2; ++i) {
        Description scene = particle_and(floor_at({}), {0, 0.1, 0}, 0.1f);
        scene.settings.substeps = i == 0 ? 1 : 40;
        Simulation simulation = start(scene);
        succeed(simulation.move_collider(0, floor_at({0, 0.5, 0})));
        const auto saved = simulation.save();
        simulation.step();
        ends[i] = simulation.view().positions[0];
        const std::uint64_t hash = simulation.state_hash();
        succeed(simulation.restore(saved));
        CHECK(std::get<Plane>(simulation.colliders()[0].shape).point.y == 0);
        simulation.step();
        CHECK(simulation.state_hash() == hash);
        simulation.reset();
        CHECK(std::get<Plane>(simulation.colliders()[0].shape).point.y == 0);
    }
    CHECK(std::abs(ends[0].y - ends[1].y) < 1e-4);
}

TEST_CASE("moving a collider that is not there, to another kind of shape or to nonsense is an error") {
    Simulation simulation = start(particle_and(floor_at({}), {0, 0, 0}));
    CHECK(simulation.move_collider(1, Plane{}).error().text() == "collider: must be an index below 1, got 1");
    CHECK(simulation.move_collider(0, Sphere{}).error().text() ==
          "/colliders/0/shape: must stay the kind of shape that it is");
    Plane flat;
    flat.normal = {};
    CHECK(simulation.move_collider(0, flat).error().text() ==
          "/colliders/0/shape/normal: must not have length 0");
    CHECK_FALSE(simulation.move_collider(0, floor_at({0, std::nan(""), 0})));
}
