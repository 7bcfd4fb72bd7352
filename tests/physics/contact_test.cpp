// Colliders: resting, bouncing, sliding.
#include <pliant/shapes.h>

#include <doctest/doctest.h>

#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

Collider collider_of(decltype(Collider::shape) shape, float friction = 0.5f, float restitution = 0) {
    Collider collider;
    collider.shape = std::move(shape);
    collider.friction = friction;
    collider.restitution = restitution;
    return collider;
}

Description particle_over(const Collider& collider, Vec3d position, float radius, const Settings& settings) {
    Description scene = scene_of(lone_particle(position), settings);
    scene.bodies[0].radius = radius;
    scene.colliders.push_back(collider);
    return scene;
}

Sphere ball(Vec3d center, float radius) {
    Sphere sphere;
    sphere.center = center;
    sphere.radius = radius;
    return sphere;
}

Box block(Vec3d center, Vec3 half_extents) {
    Box box;
    box.center = center;
    box.half_extents = half_extents;
    return box;
}

}  // namespace

TEST_CASE("a particle comes to rest at its radius above every shape") {
    const Collider supports[] = {collider_of(Plane{}), collider_of(ball({0, -2, 0}, 2)),
                                 collider_of(block({0, -0.5, 0}, {1, 0.5f, 1})),
                                 collider_of(Capsule{{-1, -0.5, 0}, {2, -0.5, 0}, 0.5f})};
    for (const Collider& support : supports) {
        for (const float radius : {0.0f, 0.1f}) {
            for (const int substeps : {1, 10, 80}) {
                CAPTURE(support.shape.index());
                CAPTURE(radius);
                CAPTURE(substeps);
                Simulation simulation =
                    start(particle_over(support, {0, 0.5, 0}, radius, with_substeps(substeps)));
                run(simulation, 60);
                for (int frame = 0; frame < 60; ++frame) {
                    simulation.step();
                    REQUIRE(std::abs(simulation.view().positions[0].y - radius) < 1e-5);
                    REQUIRE(std::abs(simulation.view().velocities[0].y) < 0.01);
                }
            }
        }
    }
}

TEST_CASE("a soft body at rest reaches no deeper than 1e-5 of its size") {
    const Collider supports[] = {collider_of(Plane{}), collider_of(block({0, -0.5, 0}, {2, 0.5f, 2}))};
    for (const Collider& support : supports) {
        CAPTURE(support.shape.index());
        SoftBody box;
        box.material.energy = Energy::springs;
        box.mesh = *make_box({0.5f, 0.5f, 0.5f}, {3, 3, 3});
        box.material.edges = compliant(1e-5f, 0.02f);
        Description scene = scene_of(body_of(std::move(box), {0, 0.4, 0}));
        scene.colliders.push_back(support);
        Simulation simulation = start(scene);
        double deepest = 0;
        for (int frame = 0; frame < 120; ++frame) {
            simulation.step();
            for (const Vec3& p : simulation.view().positions) deepest = std::min(deepest, double(p.y));
        }
        CHECK(deepest > -1e-5 * 0.5);
        CHECK(simulation.diagnostics().inverted_tetrahedra == 0);
        CHECK(std::sqrt(2 * simulation.diagnostics().kinetic_energy / 125) < 0.01);
    }
}

TEST_CASE("a bounce reaches e² of the height") {
    for (const float e : {0.0f, 0.3f, 0.5f, 0.8f, 1.0f}) {
        CAPTURE(e);
        for (const Collider& support :
             {collider_of(Plane{}, 0.5f, e), collider_of(ball({0, -2, 0}, 2), 0.5f, e),
              collider_of(block({0, -0.5, 0}, {1, 0.5f, 1}), 0.5f, e),
              collider_of(Capsule{{-1, -0.5, 0}, {2, -0.5, 0}, 0.5f}, 0.5f, e)}) {
            CAPTURE(support.shape.index());
            Simulation simulation = start(particle_over(support, {0, 1, 0}, 0, with_substeps(100)));
            while (simulation.view().velocities[0].y <= 0 && simulation.view().frame < 60) simulation.step();
            double top = simulation.view().positions[0].y;
            for (int frame = 0; frame < 40; ++frame) {
                simulation.step();
                top = std::max(top, double(simulation.view().positions[0].y));
            }
            // The instant of contact is known to a substep: v·h of about 1 mm, and so is the height.
            CHECK(std::abs(top - double(e) * e) < 0.003);
        }
    }
}

TEST_CASE("a particle on a slope slides just when tan θ > μ, with g·(sin θ − μ·cos θ)") {
    const double theta = 0.5, g = 9.81f;
    for (const double share : {0.0, 0.5, 0.95, 1.05, 2.0}) {
        CAPTURE(share);
        const float friction = float(share * std::tan(theta));
        Plane slope;
        slope.normal = {float(std::sin(theta)), float(std::cos(theta)), 0};
        Simulation simulation =
            start(particle_over(collider_of(slope, friction), {0, 0, 0}, 0, with_substeps(10)));
        run(simulation, 60);
        const double speed = length(simulation.view().velocities[0]);
        const double time = simulation.view().time;
        const double expected = g * (std::sin(theta) - double(friction) * std::cos(theta)) * time;
        if (share > 1) {
            CHECK(speed < 1e-4);
            CHECK(length(simulation.view().positions[0]) < 1e-5);
        } else {
            CHECK(relative_error(speed, expected) < 0.01);
        }
    }
}

TEST_CASE("a soft block on a slope slides just when tan θ > μ") {
    const double theta = 0.4;
    for (const double share : {0.95, 1.05}) {
        CAPTURE(share);
        SoftBody box;
        box.material.energy = Energy::springs;
        box.mesh = *make_box({0.4f, 0.2f, 0.4f}, {2, 1, 2});
        const float s = float(std::sin(theta)), c = float(std::cos(theta));
        for (Vec3& p : box.mesh.positions) p = {c * p.x + s * p.y, -s * p.x + c * p.y, p.z};
        box.material.edges = compliant(1e-6f, 0.01f);
        Plane slope;
        slope.normal = {s, c, 0};
        Description scene = scene_of(body_of(std::move(box), {0.1 * s, 0.1 * c, 0}), with_substeps(20));
        scene.colliders.push_back(collider_of(slope, float(share * std::tan(theta))));
        Simulation simulation = start(scene);
        run(simulation, 60);
        const Vec3 before = simulation.view().positions[0];
        run(simulation, 60);
        const double way = distance(before, simulation.view().positions[0]);
        // If it slides: g·(sin θ − μ·cos θ), 0.19 m/s², for 2 s, of which the second one counts.
        const double sliding = double(9.81f) * 0.05 * std::sin(theta) * 1.5;
        if (share < 1) CHECK(relative_error(way, sliding) < 0.1);
        if (share > 1) CHECK(way < 0.01 * sliding);
    }
}
