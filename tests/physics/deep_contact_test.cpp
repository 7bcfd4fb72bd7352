// The floor holds whatever falls on it, and lets out what is inside without throwing it.
#include <pliant/shapes.h>

#include <doctest/doctest.h>

#include <algorithm>

#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

SoftBody soft_box(float size, int cells = 3) {
    SoftBody box;
    box.mesh = *make_box({size, size, size}, {cells, cells, cells});
    return box;
}

struct Heights {
    double low = 1e30, high = -1e30;
};
Heights heights_of(const Simulation& simulation) {
    Heights heights;
    for (const Vec3& p : simulation.view().positions) {
        heights.low = std::min(heights.low, double(p.y));
        heights.high = std::max(heights.high, double(p.y));
    }
    return heights;
}

// The highest point in so many frames.
double highest_of(Simulation& simulation, int frames) {
    double highest = -1e30;
    for (int frame = 0; frame < frames; ++frame) {
        simulation.step();
        highest = std::max(highest, heights_of(simulation).high);
    }
    return highest;
}

Plane floor_at(double height) {
    Plane plane;
    plane.point = {0, height, 0};
    return plane;
}
Plane ceiling_at(double height) {
    Plane plane = floor_at(height);
    plane.normal = {0, -1, 0};
    return plane;
}

}  // namespace

TEST_CASE("the floor holds a box within all legal gravities and time steps") {
    for (const float gravity : {9.81f, 1e4f, 1e6f}) {
        for (const float time_step : {1.0f / 60, 1.0f}) {
            for (const Settings& solver : {with_substeps(1), with_substeps(10), with_substeps(10, 5)}) {
                for (const float size : {0.01f, 1.0f}) {
                    CAPTURE(gravity);
                    CAPTURE(time_step);
                    CAPTURE(solver.substeps);
                    CAPTURE(solver.iterations);
                    CAPTURE(size);
                    Settings settings = solver;
                    settings.gravity = {0, -gravity, 0};
                    settings.time_step = time_step;
                    Description scene = scene_of(body_of(soft_box(size), {0, 1.5, 0}), settings);
                    scene.colliders.push_back({Plane{}});
                    Simulation simulation = start(scene);
                    for (int frame = 0; frame < 30; ++frame) {
                        simulation.step();
                        // Its own size, and the spacing of floats at the height that it came from.
                        REQUIRE(heights_of(simulation).low >= -1e-6 * double(size) - 1e-7);
                    }
                    CHECK(all_finite(simulation.view()));
                    CHECK(simulation.diagnostics().repaired_particles == 0);
                }
            }
        }
    }
}

TEST_CASE("a body that starts inside a collider leaves it without a leap, in shape") {
    for (const float size : {0.01f, 1.0f}) {
        for (const int iterations : {1, 3}) {
            for (const double depth : {0.5, 1.1}) {  // of the body, in sizes
                for (const bool in_box : {false, true}) {
                    CAPTURE(size);
                    CAPTURE(iterations);
                    CAPTURE(depth);
                    CAPTURE(in_box);
                    const double s = size;
                    Description scene = scene_of(body_of(soft_box(size, 4), {0, (0.5 - depth) * s, 0}),
                                                 with_substeps(10, iterations));
                    Box block;
                    block.center = {0, -2 * s, 0};
                    block.half_extents = {2 * size, 2 * size, 2 * size};
                    if (in_box) scene.colliders.push_back({block});
                    if (!in_box) scene.colliders.push_back({Plane{}});
                    Simulation simulation = start(scene);
                    // Standing on the surface it is one size high.
                    CHECK(highest_of(simulation, 300) < 1.5 * s);
                    CHECK(heights_of(simulation).low > -1e-5 * s);
                    CHECK(simulation.diagnostics().inverted_tetrahedra == 0);
                }
            }
        }
    }
}

TEST_CASE("cloth that starts inside a collider rises out of it, and is at rest there") {
    Cloth cloth;
    cloth.mesh = *make_sheet(1, 1, 10, 10);
    Description scene = scene_of(body_of(std::move(cloth), {0, -0.3, 0}), with_substeps(1, 2));
    scene.colliders.push_back({Plane{}});
    Simulation simulation = start(scene);
    run(simulation, 73);  // at 0.25 m/s
    CHECK(heights_of(simulation).low > -1e-6);
    CHECK(highest_of(simulation, 60) < 1e-3);
}

TEST_CASE("a body that plates press flat does not shoot off when they part") {
    Description scene = scene_of(body_of(soft_box(1, 4), {0, 0.5, 0}));
    scene.colliders = {{floor_at(0)}, {ceiling_at(1.05)}};
    Simulation simulation = start(scene);
    for (int frame = 1; frame <= 120; ++frame) {
        succeed(simulation.move_collider(1, ceiling_at(1.05 - 0.9 * frame / 120)));
        simulation.step();
        REQUIRE(heights_of(simulation).low > -1e-5);
    }
    succeed(simulation.move_collider(1, ceiling_at(10)));
    simulation.step();
    CHECK(highest_of(simulation, 180) < 2);
}

TEST_CASE("what flies into a collider is stopped at any speed, and bounces") {
    for (const float speed : {1.0f, 1e3f, 1e6f}) {
        CAPTURE(speed);
        Description scene = scene_of(lone_particle({0, 0.5, 0}, {0, -speed, 0}), with_substeps(10));
        scene.settings.gravity = {};
        Collider ground;
        ground.shape = Plane{};
        ground.restitution = 0.5f;
        scene.colliders.push_back(ground);
        Simulation simulation = start(scene);
        while (simulation.view().velocities[0].y < 0 && simulation.view().frame < 60) {
            simulation.step();
            REQUIRE(simulation.view().positions[0].y >= -1e-7f);
        }
        CHECK(relative_error(simulation.view().velocities[0].y, 0.5 * speed) < 1e-6);
    }
}
