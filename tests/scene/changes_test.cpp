// Parameters, pins and bodies that change while a simulation runs.
#include <pliant/shapes.h>

#include <doctest/doctest.h>

#include "support/mixed_scene.h"

using namespace pliant;
using namespace pliant::test;

namespace {

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("settings change while running and leave velocities as they are") {
    Simulation simulation = start(scene_of(lone_particle({0, 0, 0}, {2, 0, 0})));
    run(simulation, 10);
    for (const int substeps : {1, 7, 40}) {
        for (const float frame : {1.0f / 30, 1.0f / 120}) {
            CAPTURE(substeps);
            Settings settings = with_substeps(substeps);
            settings.time_step = frame;
            settings.gravity = {};
            const Vec3 before = simulation.view().velocities[0];
            succeed(simulation.configure(settings));
            run(simulation, 3);
            CHECK(relative_error(simulation.view().velocities[0].x, before.x) < 1e-6);
            CHECK(relative_error(simulation.view().velocities[0].y, before.y) < 1e-6);
        }
    }
    // Gravity back on, with the other method: g for a second.
    Settings settings;
    settings.method = Method::pbd;
    settings.substeps = 1;
    const Vec3 before = simulation.view().velocities[0];
    succeed(simulation.configure(settings));
    CHECK(simulation.settings().method == Method::pbd);
    run(simulation, 60);
    CHECK(relative_error(before.y - simulation.view().velocities[0].y, 9.81) < 1e-5);
}

TEST_CASE("bad settings are refused and change nothing") {
    Simulation simulation = start(mixed_scene());
    Settings settings = simulation.settings();
    settings.substeps = 0;
    settings.iterations = 5;
    const Status status = simulation.configure(settings);
    REQUIRE(!status);
    CHECK(contains(status.error().text(), "/settings/substeps"));
    CHECK(simulation.settings().iterations == 1);
    CHECK(simulation.settings().substeps == 10);
}

TEST_CASE("elasticities change while running, part by part") {
    Simulation simulation = start(scene_of(tethered_particle({0, -1, 0}, 1, compliant(0.001f, 0.1f))));
    run(simulation, 200);
    CHECK(std::abs(simulation.view().positions[1].y + 1 + 0.00981) < 1e-5);
    succeed(simulation.set_elasticity("body0", "link", compliant(0.01f, 0.1f)));
    run(simulation, 400);
    CHECK(std::abs(simulation.view().positions[1].y + 1 + 0.0981) < 1e-4);

    Simulation mixed = start(mixed_scene());
    const std::pair<const char*, const char*> parts[] = {
        {"jelly", "edges"}, {"jelly", "volumes"}, {"sheet", "stretch"}, {"sheet", "bending"},
        {"sheet", "seam"},  {"body2", "stretch"}, {"grains", "link"}};
    for (const auto& part : parts) {
        CAPTURE(part.first);
        CAPTURE(part.second);
        succeed(mixed.set_elasticity(part.first, part.second, compliant(1e-4f)));
    }
}

TEST_CASE("an unknown body or part is refused with the list of the right ones") {
    Simulation simulation = start(mixed_scene());
    Status status = simulation.set_elasticity("jolly", "edges", {});
    REQUIRE(!status);
    for (const char* part : {"jolly", "\"jelly\"", "\"sheet\"", "\"body2\"", "\"grains\""})
        CHECK(contains(status.error().text(), part));
    status = simulation.set_elasticity("jelly", "stretch", {});
    REQUIRE(!status);
    for (const char* part : {"jelly", "stretch", "edges", "volumes"})
        CHECK(contains(status.error().text(), part));
    status = simulation.set_elasticity("jelly", "edges", compliant(-1));
    REQUIRE(!status);
    for (const char* part : {"jelly/edges/compliance", "-1"}) CHECK(contains(status.error().text(), part));
    CHECK(!simulation.translate("nobody", {1, 0, 0}));
    CHECK(!simulation.squash("nobody", 0));
}

TEST_CASE("a pinned particle stays, and falls again after unpin") {
    Simulation simulation = start(scene_of(lone_particle({0, 1, 0}, {1, 0, 0})));
    run(simulation, 5);
    succeed(simulation.pin(0));
    const Vec3 here = simulation.view().positions[0];
    run(simulation, 20);
    CHECK(simulation.view().positions[0] == here);
    CHECK(simulation.view().velocities[0] == Vec3{0, 0, 0});
    CHECK(!simulation.set_velocity(0, {1, 0, 0}));
    succeed(simulation.unpin(0));
    run(simulation, 60);
    CHECK(relative_error(simulation.view().velocities[0].y, -9.81) < 1e-4);
    CHECK(simulation.view().velocities[0].x == 0);
}

TEST_CASE("a particle pinned in the description falls like one that never was, once it is freed") {
    // All points of the sheet are pinned; then all are freed. Neighbours must not lose each other's moves.
    Cloth sheet;
    sheet.mesh = *make_sheet(1, 1, 8, 8);
    Body body = body_of(sheet, {0, 2, 0});
    Sphere ball;
    ball.radius = 1.5f;
    Description free_scene = scene_of(body);
    free_scene.colliders.push_back({ball});
    Description pinned_scene = free_scene;
    for (std::uint32_t i = 0; i < 81; ++i) pinned_scene.bodies[0].pinned.push_back(i);
    Simulation freed = start(pinned_scene), always_free = start(free_scene);
    run(freed, 3);
    for (std::uint32_t i = 0; i < 81; ++i) succeed(freed.unpin(i));
    CHECK(relative_error(freed.diagnostics().potential_energy, always_free.diagnostics().potential_energy) <
          1e-5);
    run(freed, 40);
    run(always_free, 40);
    // The order of work may differ, so the runs differ a little, but not in mass, energy or stretch.
    const Diagnostics a = freed.diagnostics(), b = always_free.diagnostics();
    CHECK(relative_error(a.total_energy, b.total_energy) < 0.02);
    CHECK(a.worst_constraint_error < 2 * b.worst_constraint_error + 0.01);
    for (std::size_t i = 0; i < 81; ++i)
        CHECK(distance(freed.view().positions[i], always_free.view().positions[i]) < 0.05);
}

TEST_CASE("a run repeats bit by bit after a reset, also if a particle that was pinned has been let go") {
    Cloth sheet;
    sheet.mesh = *make_sheet(1, 1, 12, 12);
    Simulation simulation = start(scene_of(body_of(sheet, {0, 2, 0}, {0, 12, 80})));
    run(simulation, 20);
    const std::uint64_t first = simulation.state_hash();
    succeed(simulation.unpin(80));
    run(simulation, 20);
    simulation.reset();
    run(simulation, 20);
    CHECK(simulation.state_hash() == first);
}

TEST_CASE("a freed corner of a hanging cloth has the mass of the description") {
    Particles pair;
    pair.positions = {{0, 0, 0}, {1, 0, 0}};
    pair.masses = {4, 1};
    pair.links = {{0, 1, 1.5f}};
    Settings settings = with_substeps(1);
    settings.gravity = {};
    Simulation simulation = start(scene_of(body_of(std::move(pair), {}, {0}), settings));
    succeed(simulation.unpin(0));
    simulation.step();
    CHECK(std::abs(simulation.view().positions[0].x + 0.1) < 1e-6);
    CHECK(std::abs(simulation.view().positions[1].x - 1.4) < 1e-6);
}

TEST_CASE("translate moves a body as it is, near or far, and nothing else") {
    for (const Vec3d offset : {Vec3d{0.3, -0.2, 5}, Vec3d{4096, 8192, 0}}) {
        CAPTURE(offset.x);
        SoftBody box;
        box.material.energy = Energy::springs;
        box.mesh = *make_box({1, 1, 1}, {2, 2, 2});
        Description scene;
        scene.settings.gravity = {};
        scene.bodies = {body_of(box, {0, 0, 0}), body_of(box, {3, 0, 0})};
        scene.bodies[0].name = "mover";
        scene.bodies[0].velocity = {1, 0, 0};
        Simulation simulation = start(scene);
        run(simulation, 5);
        const std::vector<Vec3> before(simulation.view().positions.begin(),
                                       simulation.view().positions.end());
        const std::vector<Vec3> speeds(simulation.view().velocities.begin(),
                                       simulation.view().velocities.end());
        succeed(simulation.translate("mover", offset));
        for (std::size_t i = 0; i < before.size(); ++i) {
            const Vec3d expected = to_double(before[i]) + (i < 27 ? offset : Vec3d{});
            CHECK(length(to_double(simulation.view().positions[i]) - expected) <
                  1e-6 * (1 + length(expected)));
            CHECK(simulation.view().velocities[i] == speeds[i]);
        }
        run(simulation, 30);
        CHECK(simulation.diagnostics().worst_constraint_error < 1e-4);
    }
}

TEST_CASE("squash puts every free particle to one height, at rest") {
    Simulation simulation = start(mixed_scene());
    run(simulation, 4);
    succeed(simulation.squash("sheet", 0.25));
    const BodyView sheet = simulation.view().bodies[1];
    for (std::uint32_t i = 0; i < sheet.particle_count; ++i) {
        const std::uint32_t p = sheet.first_particle + i;
        const bool pinned = i == 0 || i == 4;
        CHECK(simulation.view().positions[p].y == (pinned ? 1.0f : 0.25f));
        CHECK(simulation.view().velocities[p] == Vec3{0, 0, 0});
    }
}

TEST_CASE("velocities can be set and are shown at once") {
    Simulation simulation = start(mixed_scene());
    succeed(simulation.set_velocity(3, {1, -2, 3}));
    CHECK(distance(simulation.view().velocities[3], {1, -2, 3}) < 1e-6);
    run(simulation, 2);
    succeed(simulation.set_velocity(3, {1, -2, 3}));
    CHECK(distance(simulation.view().velocities[3], {1, -2, 3}) < 1e-6);
}
