// Air: drag and lift of surfaces against closed forms, gusts and eddies.
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
    settings.turbulence = 0;
    settings.air_drag = 1;
    settings.air_friction = 0;
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

TEST_CASE("a surface aslant to the air has drag and lift, and friction along it") {
    for (const double slope : {0.1, 0.5, 1.2}) {
        Description scene = free_sheet(0.2f, {}, {8, float(8 * slope), 0}, 10);
        scene.settings.air_drag = 1.3f;
        scene.settings.air_friction = 0.1f;
        scene.settings.time_step = 1e-5f;  // the very beginning: forces alone
        Simulation simulation = start(scene);
        simulation.step();
        const Vec3 v = simulation.view().velocities[0];
        const double speed = 8 * std::sqrt(1 + slope * slope), push = 0.6 / 0.2 * speed * 1e-5;
        CHECK(relative_error(v.y, push * 1.3 * 8 * slope) < 0.002);
        CHECK(relative_error(v.x, push * 0.1 * 8) < 0.002);
        CHECK(v.z == 0);
    }
}

TEST_CASE(
    "a solid in the wind is pushed on one side of its surface: a block has the coefficient of a plate") {
    SoftBody block;
    block.mesh = *make_box({1, 1, 1}, {2, 2, 2});
    Settings settings = with_substeps(10);
    settings.gravity = {};
    settings.wind = {5, 0, 0};
    settings.air_density = 1.2f;
    settings.air_friction = settings.turbulence = 0;
    Simulation simulation = start(scene_of(body_of(block), settings));
    simulation.step();
    // All of the cross-section feels the same, as front and back: half of the coefficient each.
    const double expected = 0.5 * 1.2 * 1.2 * 25 / 1000 / 60;
    CHECK(simulation.diagnostics().momentum.x / 1000 == doctest::Approx(expected).epsilon(0.01));
}

TEST_CASE("no wind moves a particle faster than the air, however light it is") {
    for (const float mass : {1e-9f, 1e-4f, 1.0f}) {
        for (const float speed : {1.0f, 100.0f, 1e4f}) {
            Particles triangle;
            triangle.positions = {{0, 0, 0}, {0.3f, 0, 1}, {1, 0.4f, 0}};
            triangle.triangles = {{0, 1, 2}};
            triangle.material.mass = mass;
            Settings settings = with_substeps(1);
            settings.gravity = {};
            settings.wind = {speed, 0.3f * speed, 0};
            settings.air_density = 1.2f;
            settings.turbulence = 0;
            Simulation simulation = start(scene_of(body_of(triangle), settings));
            for (int frame = 0; frame < 20; ++frame) {
                simulation.step();
                for (const Vec3& v : simulation.view().velocities)
                    REQUIRE(length(v) <= length(settings.wind) * 1.0001f);
            }
        }
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

TEST_CASE("a flag in even wind flutters, and goes on fluttering; at rest in still air it is still") {
    const auto motion = [](float turbulence, Vec3 wind) {
        Cloth flag;
        flag.mesh = *make_sheet(1.5f, 1, 30, 20);
        flag.material.area_density = 0.13f;
        flag.material.bending.model = BendingModel::isometric;
        flag.material.bending.warp = 3e-5f;
        for (Vec3& x : flag.mesh.positions) x = {x.x, x.z, 0};
        std::vector<std::uint32_t> pole;
        for (std::uint32_t i = 0; i < flag.mesh.positions.size(); ++i) {
            if (flag.mesh.positions[i].x < -0.749f) pole.push_back(i);
        }
        Settings settings = with_substeps(10);
        settings.wind = wind;
        settings.air_density = 1.2f;
        settings.turbulence = turbulence;
        Simulation simulation = start(scene_of(body_of(flag, {}, pole), settings));
        run(simulation, 300);
        double squares = 0;
        for (int frame = 0; frame < 180; ++frame) {
            simulation.step();
            for (const Vec3& v : simulation.view().velocities) squares += double(v.z) * v.z;
        }
        return std::sqrt(squares / (180.0 * flag.mesh.positions.size()));
    };
    // Eddies of 0.08 m/s along each axis: it moves many times as fast as they do.
    const double fluttering = motion(0.01f, {8, 0, 0});
    CHECK(fluttering > 0.6);
    CHECK(motion(0.1f, {0, 0, 0}) < 0.01);
}
