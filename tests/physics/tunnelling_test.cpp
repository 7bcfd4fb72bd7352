// Nothing passes a collider, however thin it is and however fast the particle.
#include <pliant/shapes.h>

#include <doctest/doctest.h>

#include <algorithm>

#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

// One frame as long as a substep would be, so that each is seen.
Settings one_step(Method method, int substeps) {
    Settings settings = with_substeps(1);
    settings.time_step /= float(substeps);
    settings.method = method;
    settings.gravity = {};
    return settings;
}

const Settings all_settings[] = {one_step(Method::xpbd, 1), one_step(Method::xpbd, 10),
                                 one_step(Method::pbd, 1)};

// Of the segment from a to b.
double distance_from_origin(const Vec3d& a, const Vec3d& b) {
    const Vec3d d = b - a;
    const double t = dot(d, d) > 0 ? std::clamp(-dot(a, d) / dot(d, d), 0.0, 1.0) : 0;
    return length(a + d * t);
}

// To the end of the substep in which the flight changes.
void run_until_hit(Simulation& simulation) {
    const Vec3 flight = simulation.view().velocities[0];
    simulation.step();
    while (distance(simulation.view().velocities[0], flight) < 0.1 && simulation.view().frame < 200)
        simulation.step();
}

}  // namespace

TEST_CASE("the hit of a thin box at 1000 m/s is not missed") {
    for (const Settings& settings : all_settings) {
        for (const float thickness : {0.001f, 0.02f, 0.5f}) {
            for (const float radius : {0.0f, 0.01f}) {
                for (int i = 0; i < 50; ++i) {
                    CAPTURE(settings.time_step);
                    CAPTURE(thickness);
                    CAPTURE(radius);
                    CAPTURE(i);
                    Box plate;
                    plate.half_extents = {thickness / 2, 1, 1};
                    Description scene = scene_of(
                        lone_particle({-1.0 - 0.371 * i, 0.013 * i - 0.3, 0.2}, {1000, 0, 0}), settings);
                    scene.bodies[0].radius = radius;
                    scene.colliders.push_back({plate, 0.0f, 0.0f});
                    Simulation simulation = start(scene);
                    run_until_hit(simulation);
                    // Contact is found to the rounding of a step of 17 m.
                    CHECK(std::abs(simulation.view().positions[0].x + thickness / 2 + radius) < 1e-5);
                }
            }
        }
    }
}

TEST_CASE("nothing tunnels through a small sphere off its centre at 1000 m/s") {
    for (const Settings& settings : all_settings) {
        for (const float size : {0.01f, 0.1f, 1.0f}) {
            for (int i = 0; i < 50; ++i) {
                CAPTURE(settings.time_step);
                CAPTURE(size);
                CAPTURE(i);
                Sphere sphere;
                sphere.radius = size;
                const double aside = size * (1.8 * i / 49 - 0.9);
                Description scene =
                    scene_of(lone_particle({-1.5 - 0.371 * i, aside, 0}, {1000, 0, 0}), settings);
                scene.colliders.push_back({sphere, 0.0f, 0.0f});
                Simulation simulation = start(scene);
                double nearest = 100;
                for (int step = 0; step < 30; ++step) {
                    const Vec3d from = to_double(simulation.view().positions[0]);
                    simulation.step();
                    nearest = std::min(nearest,
                                       distance_from_origin(from, to_double(simulation.view().positions[0])));
                }
                // Steps below half a radius slide along chords, which cut in by up to 1/32 of it.
                CHECK(nearest > 0.96 * size);
                CHECK(all_finite(simulation.view()));
            }
        }
    }
}

TEST_CASE("nothing tunnels through a thin bar off its axis at 1000 m/s") {
    for (const Settings& settings : all_settings) {
        for (const float radius : {0.001f, 0.01f, 0.1f}) {
            for (int i = 0; i < 50; ++i) {
                CAPTURE(settings.time_step);
                CAPTURE(radius);
                CAPTURE(i);
                const double aside = double(radius) * (1.8 * i / 49 - 0.9);
                Description scene =
                    scene_of(lone_particle({-1.5 - 0.371 * i, aside, 0.1}, {1000, 0, 0}), settings);
                scene.colliders.push_back({Capsule{{0, 0, -3}, {0, 0, 1}, radius}, 0.0f, 0.0f});
                Simulation simulation = start(scene);
                double nearest = 100;
                for (int step = 0; step < 30; ++step) {
                    const Vec3 from = simulation.view().positions[0];
                    simulation.step();
                    const Vec3 to = simulation.view().positions[0];
                    nearest = std::min(nearest, distance_from_origin({from.x, from.y, 0}, {to.x, to.y, 0}));
                }
                // Rounding at a distance of 20 m, and chords as with the sphere.
                CHECK(nearest > 0.96 * double(radius) - 2e-6);
                CHECK(all_finite(simulation.view()));
            }
        }
    }
}

TEST_CASE("a slanting bar that is hit head-on is not passed, at its end neither") {
    for (const Settings& settings : all_settings) {
        for (int i = 0; i < 50; ++i) {
            CAPTURE(settings.time_step);
            CAPTURE(i);
            const bool at_end = i % 2 == 0;
            const Capsule bar{{0, -0.5, -1}, at_end ? Vec3d{} : Vec3d{0, 0.5, 1}, 0.01f};
            Description scene = scene_of(lone_particle({-1.5 - 0.371 * i, 0, 0}, {1000, 0, 0}), settings);
            scene.colliders.push_back({bar, 0.0f, 0.0f});
            Simulation simulation = start(scene);
            run_until_hit(simulation);
            CHECK(std::abs(simulation.view().positions[0].x + 0.01f) < 1e-4);
        }
    }
}

TEST_CASE("what flies along a bar meets its round end") {
    for (const Settings& settings : all_settings) {
        for (const double slant : {0.0, 1e-7, 1e-5}) {
            CAPTURE(settings.time_step);
            CAPTURE(slant);
            Description scene =
                scene_of(lone_particle({-3.1, 0, 0}, {1000, static_cast<float>(1000 * slant), 0}), settings);
            scene.colliders.push_back({Capsule{{0, 0, 0}, {1, 0, 0}, 0.02f}, 0.0f, 0.0f});
            Simulation simulation = start(scene);
            run_until_hit(simulation);
            CHECK(std::abs(simulation.view().positions[0].x + 0.02f) < 1e-3);
        }
    }
}

TEST_CASE("the hit of a turned plate on a slanting way is not missed") {
    for (const Settings& settings : all_settings) {
        Box plate;
        plate.half_extents = {2, 0.001f, 2};
        plate.rotation = {0, 0, 0.3826834f, 0.9238795f};  // 45° about z: the plate is the plane y = x
        for (int i = 0; i < 50; ++i) {
            Description scene =
                scene_of(lone_particle({-2.0 - 0.13 * i, 2.2 + 0.13 * i, 0}, {700, -700, 20}), settings);
            scene.colliders.push_back({plate, 0.3f, 0.0f});
            Simulation simulation = start(scene);
            run_until_hit(simulation);
            CAPTURE(settings.time_step);
            CAPTURE(i);
            CHECK(simulation.view().positions[0].y > simulation.view().positions[0].x);
        }
    }
}

TEST_CASE("what starts inside a collider gets out and stays finite") {
    for (Settings settings : all_settings) {
        settings.gravity = {0, -9.81f, 0};
        for (const Vec3d at : {Vec3d{0, 0, 0}, Vec3d{0.1, 0.2, -0.3}, Vec3d{0.4, 0, 0}}) {
            CAPTURE(settings.time_step);
            CAPTURE(at.x);
            SoftBody soft;
            soft.mesh = *make_box({0.2f, 0.2f, 0.2f}, {2, 2, 2});
            if (settings.method == Method::pbd) soft.material.energy = Energy::springs;
            Description scene;
            scene.settings = settings;
            scene.bodies = {lone_particle(at), body_of(soft, at)};
            SUBCASE("a sphere") { scene.colliders.push_back({Sphere{}}); }
            SUBCASE("a box") { scene.colliders.push_back({Box{}}); }
            SUBCASE("a capsule") { scene.colliders.push_back({Capsule{{0, -1, 0}, {0, 1, 0}, 0.5f}}); }
            SUBCASE("a half-space") {
                Plane plane;
                plane.point = {0, 2, 0};
                scene.colliders.push_back({plane});
            }
            Simulation simulation = start(scene);
            simulation.step();
            REQUIRE(all_finite(simulation.view()));
            run(simulation, static_cast<int>(11 / settings.time_step));  // the half-space is 2.4 m deep
            REQUIRE(all_finite(simulation.view()));
            for (const Vec3& p : simulation.view().positions) {
                const double from_sphere = length(p) - 1;
                const double from_box = std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) - 0.5;
                const double from_plane = double(p.y) - 2;
                const double beyond = std::max(std::abs(double(p.y)) - 1, 0.0);
                const double from_capsule = std::hypot(double(p.x), beyond, double(p.z)) - 0.5;
                const double distances[] = {from_plane, from_sphere, from_box, from_capsule};
                CHECK(distances[scene.colliders[0].shape.index()] > -1e-5);
            }
            CHECK(simulation.diagnostics().repaired_particles == 0);
        }
    }
}
