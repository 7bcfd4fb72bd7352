// What lies comes to rest by itself, at default settings, and moves on when something happens to it.
#include <doctest/doctest.h>

#include <algorithm>

#include "support/simulations.h"

namespace pliant::test {
namespace {

Description on_the_floor(std::vector<Body> bodies) {
    Description description;
    description.bodies = std::move(bodies);
    for (std::size_t i = 0; i < description.bodies.size(); ++i)
        description.bodies[i].name = "body" + std::to_string(i);
    description.colliders.push_back({Plane{}});
    return description;
}

std::vector<Body> tower(int boxes) {
    std::vector<Body> bodies;
    for (int i = 0; i < boxes; ++i) bodies.push_back(soft_box(0.2f, 4, {0, 0.1025 + 0.205 * i, 0}, 1e6f));
    return bodies;
}

struct Speeds {
    double mean = 0, most = 0;
};
Speeds speeds_of(const View& view) {
    Speeds speeds;
    for (const Vec3& v : view.velocities) {
        speeds.mean += length(v) / static_cast<double>(view.velocities.size());
        speeds.most = std::max(speeds.most, length(v));
    }
    return speeds;
}

void rests_after_five_seconds(const Description& description) {
    Simulation simulation = start(description);
    run(simulation, 300);
    for (int frame = 0; frame < 30; ++frame) {
        const std::vector<Vec3> before(simulation.view().positions.begin(),
                                       simulation.view().positions.end());
        simulation.step();
        const Speeds speeds = speeds_of(simulation.view());
        CAPTURE(frame);
        CHECK(speeds.mean < 1e-3);
        CHECK(speeds.most < 0.01);
        double moved = 0;
        for (std::size_t i = 0; i < before.size(); ++i)
            moved = std::max(moved, distance(before[i], simulation.view().positions[i]));
        CHECK(moved * 60 < 0.01);
    }
}

}  // namespace

TEST_CASE("a sheet on the floor is at rest after 5 s") {
    rests_after_five_seconds(on_the_floor({square_cloth(1, 30, {0, 0.3, 0})}));
}
TEST_CASE("a sheet that fell over a ball to the floor is at rest after 5 s") {
    Description description = on_the_floor({square_cloth(0.6f, 40, {0, 0.35, 0})});
    description.colliders.push_back({Sphere{{0, 0.15, 0}, 0.15f}});
    rests_after_five_seconds(description);
}
TEST_CASE("the default box that starts half inside the floor is at rest after 5 s") {
    rests_after_five_seconds(on_the_floor({soft_box(1, 8, {})}));
}
TEST_CASE("a tower of five boxes is at rest after 5 s") { rests_after_five_seconds(on_the_floor(tower(5))); }

TEST_CASE("what rests moves on when something happens to it") {
    const auto resting = [] {
        Simulation simulation = start(on_the_floor({soft_box(0.2f, 3, {0, 0.11, 0}, 1e6f)}));
        run(simulation, 300);
        REQUIRE(speeds_of(simulation.view()).most <= 0);
        return simulation;
    };
    SUBCASE("gravity turns") {
        Simulation simulation = resting();
        Settings settings = simulation.settings();
        settings.gravity = {2, 9.81f, 0};
        succeed(simulation.configure(settings));
        run(simulation, 30);
        CHECK(speeds_of(simulation.view()).mean > 4);
    }
    SUBCASE("a force acts") {
        Simulation simulation = resting();
        for (std::uint32_t p = 0; p < simulation.view().positions.size(); ++p)
            succeed(simulation.set_force(p, {1.5f, 0, 0}));
        run(simulation, 30);
        CHECK(speeds_of(simulation.view()).mean > 0.5);
    }
    SUBCASE("a particle is given a velocity") {
        Simulation simulation = resting();
        for (std::uint32_t p = 0; p < simulation.view().positions.size(); ++p)
            succeed(simulation.set_velocity(p, {0, 2, 0}));
        simulation.step();
        CHECK(speeds_of(simulation.view()).mean > 1.7);
    }
    SUBCASE("it is grabbed") {
        Simulation simulation = resting();
        const auto grabbed = simulation.grab({0.1, 0.2, 0.1});
        REQUIRE(grabbed);
        succeed(simulation.drag(*grabbed, {0.1, 0.6, 0.1}));
        run(simulation, 30);
        CHECK(simulation.view().positions[0].y > 0.1f);
    }
}

TEST_CASE("a box at rest feels what falls on it, and its support going away") {
    Description description = on_the_floor(tower(1));
    description.bodies.push_back(soft_box(0.2f, 3, {0, 25, 0}, 1e6f));  // arrives after 2.3 s
    description.bodies.back().name = "falling";
    Collider table;
    table.shape = Box{{2, 0.5, 0}, {0.3f, 0.1f, 0.3f}};
    description.colliders.push_back(table);
    description.bodies.push_back(soft_box(0.2f, 3, {2, 0.71, 0}, 1e6f));
    description.bodies.back().name = "on the table";
    Simulation simulation = start(description);
    run(simulation, 120);
    const View view = simulation.view();
    const auto speed_of = [&](std::size_t body) {
        double sum = 0;
        for (std::uint32_t p = 0; p < view.bodies[body].particle_count; ++p)
            sum += length(simulation.view().velocities[view.bodies[body].first_particle + p]);
        return sum / view.bodies[body].particle_count;
    };
    CHECK(speed_of(0) < 1e-3);
    double fastest = 0;
    for (int frame = 0; frame < 60; ++frame) {
        simulation.step();
        fastest = std::max(fastest, speed_of(0));
    }
    CHECK(fastest > 0.3);
    CHECK(speed_of(2) < 1e-3);
    succeed(simulation.move_collider(1, Box{{2, 0.3, 0}, {0.3f, 0.1f, 0.3f}}));
    run(simulation, 10);
    CHECK(speed_of(2) > 0.5);
}

TEST_CASE("what comes to rest is the same bits after a restore, at any lane width and number of threads") {
    std::uint64_t expected = 0;
    for (const std::string_view target : available_targets()) {
        Execution execution = on_threads(target == "scalar" ? 1 : 3);
        execution.target = std::string(target);
        Description description = on_the_floor(tower(2));
        description.bodies.push_back(square_cloth(0.3f, 15, {0, 0.5, 0}));
        description.bodies.back().name = "sheet";
        Simulation simulation = start(description, execution);
        run(simulation, 170);
        const auto saved = simulation.save();
        run(simulation, 70);
        if (expected == 0) expected = simulation.state_hash();
        CHECK(simulation.state_hash() == expected);
        succeed(simulation.restore(saved));
        run(simulation, 70);
        CHECK(simulation.state_hash() == expected);
    }
}

TEST_CASE("on ice nothing settles: what turns slowly turns on") {
    const auto turned = [](float settling, float of_floor, float of_body) {
        Description description = on_the_floor({soft_box(0.2f, 4, {0, 0.1, 0}, 1e6f)});
        description.settings.settling = settling;
        description.colliders[0].friction = of_floor;
        description.bodies[0].contact.friction = of_body;
        Simulation simulation = start(description);
        const std::vector<Vec3> places(simulation.view().positions.begin(),
                                       simulation.view().positions.end());
        for (std::uint32_t i = 0; i < places.size(); ++i)
            succeed(simulation.set_velocity(i, {0.2f * places[i].z, 0, -0.2f * places[i].x}));
        run(simulation, 120);
        return simulation.state_hash();
    };
    CHECK(turned(6, 0, 0.5f) == turned(0, 0, 0.5f));
    CHECK(turned(6, 0.5f, 0) == turned(0, 0.5f, 0));
    CHECK(turned(6, 0.5f, 0.5f) != turned(0, 0.5f, 0.5f));
}

TEST_CASE("without settling a box trembles on") {
    Description description = on_the_floor({soft_box(1, 8, {})});
    description.settings.settling = 0;
    Simulation simulation = start(description);
    run(simulation, 300);
    CHECK(speeds_of(simulation.view()).mean > 0.01);
}

}  // namespace pliant::test
