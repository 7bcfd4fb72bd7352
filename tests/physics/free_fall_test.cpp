// Free flight against the sums that the discrete rule v += h·g, x += h·v adds up to.
#include <pliant/shapes.h>

#include <doctest/doctest.h>

#include <array>

#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

// A constant added n times to a float errs by at most half an ulp of the sum each time, and always in the
// same direction while the sum stays within a power of two: n · 2⁻²⁵ in the worst case.
double rounding_of_sum(double n) { return n * 0x1p-25 + 1e-6; }

}  // namespace

TEST_CASE("free fall drops by g·h²·n(n+1)/2 at any number of substeps") {
    for (const int substeps : {1, 10, 80, 160}) {
        CAPTURE(substeps);
        Simulation simulation = start(scene_of(lone_particle({0, 0, 0}), with_substeps(substeps)));
        const double h = substep_of(simulation.settings()), g = 9.81f;
        for (const int frames : {1, 60, 120}) {
            while (simulation.view().frame < std::uint64_t(frames)) simulation.step();
            const double n = double(frames) * substeps;
            const double error = rounding_of_sum(n);
            CHECK(relative_error(simulation.view().positions[0].y, -g * h * h * n * (n + 1) / 2) < error);
            CHECK(relative_error(simulation.view().velocities[0].y, -g * h * n) < error);
            CHECK(simulation.view().positions[0].x == 0);
            CHECK(simulation.view().positions[0].z == 0);
        }
    }
}

TEST_CASE("a thrown particle follows the discrete parabola") {
    const Vec3 v{3, 4, -2};
    for (const int substeps : {1, 10, 80, 160}) {
        CAPTURE(substeps);
        Simulation simulation = start(scene_of(lone_particle({1, 2, 3}, v), with_substeps(substeps)));
        run(simulation, 60);
        const double h = substep_of(simulation.settings()), g = 9.81f, n = 60.0 * substeps;
        const Vec3 x = simulation.view().positions[0];
        const double error =
            10 * rounding_of_sum(n);  // of the 10 m or less that each part of the way is long
        CHECK(std::abs(x.x - (1 + n * h * v.x)) < error);
        CHECK(std::abs(x.y - (2 + n * h * v.y - g * h * h * n * (n + 1) / 2)) < error);
        CHECK(std::abs(x.z - (3 + n * h * v.z)) < error);
    }
}

TEST_CASE("flight is the same bit by bit far from the origin") {
    for (const double away : {1024.0, 131072.0}) {  // about 1 km and 100 km
        for (const int substeps : {10, 160}) {
            CAPTURE(away);
            CAPTURE(substeps);
            const Settings settings = with_substeps(substeps);
            Simulation near = start(scene_of(lone_particle({0.3, 1.7, 0}, {3, 4, -2}), settings));
            Simulation far =
                start(scene_of(lone_particle({0.3 + away, 1.7 + away, -away}, {3, 4, -2}), settings));
            for (int frame = 0; frame < 120; ++frame) {
                near.step();
                far.step();
                REQUIRE(near.view().velocities[0] == far.view().velocities[0]);
            }
            // What is shown is a float in the world: it differs by its own rounding only.
            const Vec3d x = to_double(near.view().positions[0]), y = to_double(far.view().positions[0]);
            CHECK(length(y - x - Vec3d{away, away, -away}) < away * 0x1p-22);
        }
    }
}

TEST_CASE("a soft body that meets a collider moves the same bit by bit far from the origin") {
    const auto scene = [](double away) {
        SoftBody box;
        box.mesh = *make_box({0.5f, 0.5f, 0.5f}, {2, 2, 2});
        Description description = scene_of(body_of(std::move(box), {away + 0.1, 0.4, -away}));
        description.bodies[0].velocity = {1, 0, 0.5f};
        Box table;
        table.center = {away, -0.5, -away};
        description.colliders.push_back({table, 0.3f, 0.2f});
        return description;
    };
    for (const double away : {1024.0, 131072.0}) {
        CAPTURE(away);
        Simulation near = start(scene(0)), far = start(scene(away));
        for (int frame = 0; frame < 90; ++frame) {
            near.step();
            far.step();
            for (std::size_t i = 0; i < near.view().velocities.size(); ++i)
                REQUIRE(near.view().velocities[i] == far.view().velocities[i]);
        }
        CHECK(near.diagnostics().volume == far.diagnostics().volume);
        CHECK(near.diagnostics().worst_constraint_error == far.diagnostics().worst_constraint_error);
    }
}

TEST_CASE("a force accelerates by f/m on top of gravity until it is cleared") {
    Particles particles;
    particles.positions = {{0, 0, 0}, {1, 0, 0}};
    particles.masses = {2, 5};
    Simulation simulation = start(scene_of(body_of(std::move(particles))));
    const double h = substep_of(simulation.settings()), g = 9.81f;
    succeed(simulation.set_force(0, {4, 0, -6}));
    run(simulation, 60);
    const double n = 600;
    const Vec3 v = simulation.view().velocities[0];
    CHECK(relative_error(v.x, h * n * 2) < rounding_of_sum(n));
    CHECK(relative_error(v.y, -h * n * g) < rounding_of_sum(n));
    CHECK(relative_error(v.z, -h * n * 3) < rounding_of_sum(n));
    CHECK(relative_error(simulation.view().positions[0].x, h * h * n * (n + 1)) < rounding_of_sum(n));
    CHECK(simulation.view().velocities[1].x == 0);

    simulation.clear_forces();
    run(simulation, 1);
    CHECK(simulation.view().velocities[0].x == v.x);
    CHECK(simulation.view().velocities[0].z == v.z);
}
