// Attachments and grabbed particles.
#include <pliant/shapes.h>

#include <doctest/doctest.h>

#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

Attachment to_point(std::uint32_t particle, Vec3d target, const Elasticity& elasticity = {}) {
    Attachment attachment;
    attachment.particle = {0, particle};
    attachment.target = target;
    attachment.elasticity = elasticity;
    return attachment;
}

Description weightless(Description scene) {
    scene.settings.gravity = {};
    return scene;
}

}  // namespace

TEST_CASE("a rigid attachment holds its particle at the target") {
    Description scene = scene_of(lone_particle({1, 2, 3}));
    scene.attachments = {to_point(0, {1, 2, 3})};
    Simulation simulation = start(scene);
    run(simulation, 60);
    CHECK(distance(simulation.view().positions[0], {1, 2, 3}) < 1e-6);

    // From elsewhere it gets there in the first substep, in all three directions at once.
    scene.attachments = {to_point(0, {1.5, 1.5, 3.25})};
    Simulation jump = start(scene);
    jump.step();
    CHECK(distance(jump.view().positions[0], {1.5f, 1.5f, 3.25f}) < 1e-6);
}

TEST_CASE("a compliant attachment gives way by α times the force") {
    for (const int substeps : {1, 10}) {
        for (const int iterations : {1, 4}) {
            CAPTURE(substeps);
            CAPTURE(iterations);
            Description scene = scene_of(lone_particle({0, 0, 0}), with_substeps(substeps, iterations));
            scene.attachments = {to_point(0, {0, 0, 0}, compliant(0.01f, 0.1f))};
            Simulation simulation = start(scene);
            succeed(simulation.set_force(0, {3, 0, -4}));
            run(simulation, 400);
            const Vec3 x = simulation.view().positions[0];
            CHECK(relative_error(x.x, 0.03) < 1e-3);
            CHECK(relative_error(x.y, -0.0981) < 1e-3);
            CHECK(relative_error(x.z, -0.04) < 1e-3);
        }
    }
}

TEST_CASE("an attachment's elasticity can change while it runs") {
    Description scene = scene_of(lone_particle({0, 0, 0}));
    scene.attachments = {to_point(0, {0, 0, 0}, compliant(0.01f, 0.1f))};
    Simulation simulation = start(scene);
    run(simulation, 200);
    succeed(simulation.set_attachment_elasticity(0, compliant(0.02f, 0.1f)));
    run(simulation, 400);
    CHECK(relative_error(simulation.view().positions[0].y, -0.1962) < 1e-3);
}

TEST_CASE("a moved target is reached at the end of the next step, and followed") {
    Description scene = weightless(scene_of(lone_particle({0, 0, 0})));
    scene.attachments = {to_point(0, {0, 0, 0})};
    Simulation simulation = start(scene);
    for (int frame = 1; frame <= 60; ++frame) {
        const Vec3d target{0.01 * frame, std::sin(0.1 * frame), -0.02 * frame};
        succeed(simulation.move_attachment(0, target));
        simulation.step();
        CHECK(length(to_double(simulation.view().positions[0]) - target) < 1e-6);
    }
    // It has the target's velocity, up to what the last step turned.
    CHECK(relative_error(simulation.view().velocities[0].x, 0.01 * 60) < 1e-3);
    CHECK(relative_error(simulation.view().velocities[0].z, -0.02 * 60) < 1e-3);
    run(simulation, 2);
    CHECK(length(simulation.view().velocities[0]) < 1e-4);
}

TEST_CASE("a body is pulled along by a moving attachment") {
    SoftBody box;
    box.material.energy = Energy::springs;
    box.mesh = *make_box({0.2f, 0.2f, 0.2f}, {1, 1, 1});
    box.material.edges.damping = 0.05f;
    Description scene = weightless(scene_of(body_of(std::move(box))));
    scene.settings.damping = 0.1f;
    scene.attachments = {to_point(0, {-0.1, -0.1, -0.1})};
    Simulation simulation = start(scene);
    for (int frame = 1; frame <= 240; ++frame) {
        succeed(simulation.move_attachment(0, {-0.1 - 0.005 * frame, -0.1, -0.1}));
        simulation.step();
    }
    CHECK(distance(simulation.view().positions[0], {-1.3f, -0.1f, -0.1f}) < 1e-5);
    for (const Vec3& p : simulation.view().positions) {
        CHECK(distance(p, simulation.view().positions[0]) < 1.02 * 0.2 * std::sqrt(3.0));
    }
    CHECK(simulation.diagnostics().inverted_tetrahedra == 0);
}

TEST_CASE("two particles of two bodies are held together and share the motion") {
    Description scene;
    scene.settings.gravity = {};
    scene.bodies = {lone_particle({0, 0, 0}, {3, 0, 0}), lone_particle({0, 0, 0})};
    std::get<Particles>(scene.bodies[1].shape).material.mass = 2;
    Attachment tie;
    tie.particle = {0, 0};
    tie.target = ParticleReference{1, 0};
    scene.attachments = {tie};
    Simulation simulation = start(scene);
    run(simulation, 60);
    // One mass of 3 kg with the momentum 3 kg·m/s.
    for (std::size_t i : {0u, 1u}) {
        CHECK(relative_error(simulation.view().velocities[i].x, 1) < 1e-4);
        CHECK(relative_error(simulation.view().positions[i].x, 1) < 1e-2);
    }
    CHECK(distance(simulation.view().positions[0], simulation.view().positions[1]) < 1e-6);
}

TEST_CASE("a grabbed particle follows the drag, and flies on with its velocity and mass after release") {
    for (const int substeps : {1, 10, 80}) {
        CAPTURE(substeps);
        Particles two;
        two.positions = {{0, 0, 0}, {5, 0, 0}};
        two.masses = {3, 1};
        Description scene = weightless(scene_of(body_of(std::move(two)), with_substeps(substeps)));
        scene.settings.gravity = {};
        Simulation simulation = start(scene);
        const Result<std::uint32_t> grabbed = simulation.grab({0.4, 0.1, 0});
        REQUIRE(bool(grabbed));
        CHECK(*grabbed == 0);
        run(simulation, 3);
        CHECK(simulation.view().positions[0] == Vec3{0, 0, 0});
        for (int frame = 1; frame <= 10; ++frame) {
            succeed(simulation.drag(0, {0.02 * frame, 0.01 * frame, 0}));
            simulation.step();
            CHECK(length(to_double(simulation.view().positions[0]) - Vec3d{0.02 * frame, 0.01 * frame, 0}) <
                  1e-6);
        }
        succeed(simulation.release(0));
        simulation.step();
        CHECK(relative_error(simulation.view().velocities[0].x, 1.2) < 1e-4);
        CHECK(relative_error(simulation.view().velocities[0].y, 0.6) < 1e-4);
        run(simulation, 9);
        // Some 2.5 m from the origin of its group, each of up to 800 sums x + u is rounded by up to 2⁻²³ m.
        CHECK(std::abs(simulation.view().positions[0].x - 0.4f) < 1e-4);

        // It still has 3 kg.
        const float before = simulation.view().velocities[0].x;
        succeed(simulation.set_force(0, {9, 0, 0}));
        run(simulation, 60);
        CHECK(relative_error(simulation.view().velocities[0].x - before, 3) < 1e-4);
    }
}

TEST_CASE("a ray grabs the corner nearest to where it meets the surface first") {
    SoftBody box;
    box.material.energy = Energy::springs;
    box.mesh = *make_box({1, 1, 1}, {1, 1, 1});
    Simulation simulation = start(weightless(scene_of(body_of(std::move(box), {0, 3, 0}))));
    const Result<std::uint32_t> grabbed = simulation.grab_ray({0.4, 10, 0.3}, {0, -2, 0});
    REQUIRE(bool(grabbed));
    CHECK(simulation.view().positions[*grabbed] == Vec3{0.5f, 3.5f, 0.5f});
    CHECK(!simulation.grab_ray({5, 10, 0}, {0, -1, 0}));
    succeed(simulation.release(*grabbed));
}

TEST_CASE("a grab does not move anything, also 100 km from the origin") {
    for (const double away : {0.0, 1000.3, 100000.003}) {
        CAPTURE(away);
        Particles pair;
        pair.positions = {{0, 0, 0}, {1, 0, 0}};
        pair.links = {{0, 1}};
        Description scene = scene_of(body_of(pair, {away, away, 0}));
        scene.settings.gravity = {};
        Simulation simulation = start(scene);
        REQUIRE(bool(simulation.grab({away, away, 0})));
        run(simulation, 1);
        CHECK(simulation.diagnostics().kinetic_energy < 1e-9);
    }
}
