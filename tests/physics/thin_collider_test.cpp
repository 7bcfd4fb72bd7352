// Particles that arrive at, or rest on, shapes much thinner than their way in a substep. Rounding may leave
// them just inside the surface, from where the next substep must not take them through.
#include <doctest/doctest.h>

#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

TEST_CASE("a thin plate is not passed in the substeps after the hit either") {
    int passed = 0;
    for (int i = 0; i < 50; ++i) {
        Settings settings;  // xpbd, 10 substeps
        settings.gravity = {};
        Box plate;
        plate.half_extents = {0.01f, 1, 1};
        Description scene = scene_of(lone_particle({-1.0 - 0.371 * i, 0, 0.2}, {1000, 0, 0}), settings);
        scene.colliders.push_back({plate, 0.0f, 0.0f});
        Simulation simulation = start(scene);
        run(simulation, 8);
        passed += simulation.view().positions[0].x > 0;
    }
    CHECK_MESSAGE(passed == 0, passed << " of 50 went through");
}

TEST_CASE("what falls on a 2 mm plate stays on it") {
    for (const Method method : {Method::xpbd, Method::pbd}) {
        int passed = 0;
        for (int i = 0; i < 100; ++i) {
            Settings settings = with_substeps(method == Method::xpbd ? 10 : 1);
            settings.method = method;
            Box plate;
            plate.center = {0, 0.01 * i, 0};
            plate.half_extents = {1, 0.001f, 1};
            Description scene = scene_of(lone_particle({0.1, 0.01 * i + 0.3 + 0.003 * i, 0.2}), settings);
            scene.colliders.push_back({plate, 0.5f, 0.0f});
            Simulation simulation = start(scene);
            run(simulation, 120);
            passed += double(simulation.view().positions[0].y) < 0.01 * i - 0.01;
        }
        CHECK_MESSAGE(passed == 0, passed << " of 100 sank through");
    }
}

TEST_CASE("what falls on a wire 2 mm thick does not pass through it") {
    for (const Method method : {Method::xpbd, Method::pbd}) {
        int passed = 0;
        for (int i = 0; i < 100; ++i) {
            Settings settings = with_substeps(method == Method::xpbd ? 10 : 1);
            settings.method = method;
            const double y = 0.01 * i;
            Description scene = scene_of(lone_particle({0.1, y + 0.3 + 0.003 * i, 0}), settings);
            scene.colliders.push_back({Capsule{{-1, y, 0}, {1, y, 0}, 0.001f}, 0.5f, 0.0f});
            Simulation simulation = start(scene);
            run(simulation, 120);
            passed += double(simulation.view().positions[0].y) < y - 0.01;
        }
        CHECK_MESSAGE(passed == 0, passed << " of 100 sank through");
    }
}

TEST_CASE("a small ball that is hit head-on is not passed") {
    int passed = 0;
    for (int i = 0; i < 50; ++i) {
        Settings settings = with_substeps(1);
        settings.gravity = {};
        Sphere ball;
        ball.radius = 0.1f;
        Description scene = scene_of(lone_particle({-1.0 - 0.371 * i, 0, 0}, {1000, 0, 0}), settings);
        scene.colliders.push_back({ball, 0.0f, 0.0f});
        Simulation simulation = start(scene);
        run(simulation, 8);
        passed += simulation.view().positions[0].x > 0;
    }
    CHECK_MESSAGE(passed == 0, passed << " of 50 went through");
}
