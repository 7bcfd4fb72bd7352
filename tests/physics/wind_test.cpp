// Air: pressure ½ρ·v² at right angles to surfaces, against closed forms.
#include <pliant/shapes.h>

#include <doctest/doctest.h>

#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

// A free triangle in the xz plane: all of it feels the same.
Description free_sheet(float area_density, Vec3 gravity, Vec3 wind, int substeps) {
    Cloth cloth;
    cloth.mesh.positions = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}};
    cloth.mesh.triangles = {{0, 1, 2}};
    cloth.material.area_density = area_density;
    Settings settings = with_substeps(substeps);
    settings.gravity = gravity;
    settings.wind = wind;
    settings.air_density = 1.2f;
    return scene_of(body_of(cloth), settings);
}

}  // namespace

TEST_CASE("wind takes a sheet along as ½ρv² says") {
    // dv/dt = ρ(V − v)²/2σ:  1/(V − v) = 1/V + ρt/2σ
    Simulation simulation = start(free_sheet(0.2f, {}, {0, 10, 0}, 100));
    for (int frame = 1; frame <= 60; ++frame) {
        simulation.step();
        const double expected = 10 - 1 / (0.1 + 1.2 * simulation.view().time / 0.4);
        for (const Vec3& v : simulation.view().velocities) {
            REQUIRE(relative_error(v.y, expected) < 0.01);
            REQUIRE(std::abs(v.x) + std::abs(v.z) < 1e-5);
        }
    }
}

TEST_CASE("a sheet falls through air at its final speed, at any number of substeps") {
    for (const int substeps : {1, 10, 100}) {
        Simulation simulation = start(free_sheet(0.2f, {0, -9.81f, 0}, {}, substeps));
        run(simulation, 240);
        const double final_speed = std::sqrt(2 * 0.2 * 9.81 / 1.2);
        // Seen after gravity's part of a substep, half of it too fast.
        const double gravity_step = 9.81 * substep_of(simulation.settings());
        const double speed = -simulation.view().velocities[0].y - gravity_step / 2;
        CHECK(relative_error(speed, final_speed) < 0.005);
    }
}

TEST_CASE("wind along a sheet, and a body in a vacuum, feel nothing") {
    Simulation along = start(free_sheet(0.2f, {}, {10, 0, 5}, 10));
    run(along, 10);
    CHECK(length(along.view().velocities[0]) == 0);
    Description vacuum = free_sheet(0.2f, {}, {0, 10, 0}, 10);
    vacuum.settings.air_density = 0;
    Simulation still = start(vacuum);
    run(still, 10);
    CHECK(length(still.view().velocities[0]) == 0);
    // Air may come later.
    succeed(still.configure(free_sheet(0.2f, {}, {0, 10, 0}, 10).settings));
    still.step();
    CHECK(still.view().velocities[0].y > 0.1f);
}

TEST_CASE("a cloth survives a storm of 1000 m/s, however light it is") {
    for (const float area_density : {1e-6f, 1e-3f, 1.0f}) {
        Description scene = free_sheet(area_density, {}, {0, 1000, 0}, 10);
        Cloth cloth;
        cloth.mesh = *make_sheet(1, 1, 10, 10);
        cloth.material.area_density = area_density;
        scene.bodies[0] = body_of(cloth, {}, {0, 10});
        Simulation simulation = start(scene);
        for (int frame = 0; frame < 120; ++frame) {
            simulation.step();
            REQUIRE(all_finite(simulation.view()));
            // 600 kPa, unconverged: the links stretch, but nothing escapes.
            for (const Vec3& x : simulation.view().positions) REQUIRE(length(x) < 30);
        }
    }
}

TEST_CASE("the hash of a flag in the wind is the same for any threads and instruction set") {
    Cloth cloth;
    cloth.mesh = *make_sheet(1, 1, 60, 60);
    Description scene = scene_of(body_of(cloth, {}, {0, 60}));
    scene.settings.wind = {3, 2, 1};
    scene.settings.air_density = 1.2f;
    std::uint64_t expected = 0;
    for (const std::string_view target : available_targets()) {
        for (const int threads : {1, 2, 5}) {
            Execution execution = on_threads(threads);
            execution.target = target;
            Simulation simulation = start(scene, execution);
            run(simulation, 10);
            if (expected == 0) expected = simulation.state_hash();
            CHECK(simulation.state_hash() == expected);
        }
    }
}
