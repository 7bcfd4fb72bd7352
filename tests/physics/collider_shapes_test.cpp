// Colliders of all shapes under particles and bodies: rooms, belts, meshes that move.
#include <doctest/doctest.h>
#include <pliant/collider_mesh.h>
#include <pliant/scene.h>
#include <pliant/shapes.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/files.h"
#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

SolidMesh mesh_of(const TriangleMesh& mesh) {
    SolidMesh solid;
    solid.surface = *make_collider_mesh(mesh);
    return solid;
}

// Rooms whose lowest inner point is at the height 0, and that are at least 0.2 m high there.
std::vector<Collider> rooms() {
    std::vector<Collider> all;
    const auto add = [&](ColliderShape shape) {
        Collider room{std::move(shape)};
        room.inverted = true;
        all.push_back(room);
    };
    add(Plane{{0, 0, 0}, {0, -1, 0}});
    add(Sphere{{0, 1, 0}, 1});
    add(Box{{0, 1, 0}, {1, 1, 1}, {}});
    add(Capsule{{-1, 1, 0}, {1, 1, 0}, 1});
    add(Cylinder{{0, 0, 0}, {0, 2, 0}, 1});
    add(Cone{{0, 0, 0}, {0, 3, 0}, 1, 0.2f});
    add(Torus{{-1, 0.5, 0}, {0, 1, 0}, 1, 0.5f});
    TriangleMesh box = *make_box_surface({2, 2, 2}, {4, 4, 4});
    for (Vec3& p : box.positions) p.y += 1;
    add(mesh_of(box));
    return all;
}

Player play(const std::string& text) {
    auto scene = parse_scene(text);
    REQUIRE_MESSAGE(scene, scene.error().text());
    auto player = Player::create(std::move(*scene), on_threads(1));
    REQUIRE_MESSAGE(player, player.error().text());
    return std::move(*player);
}

}  // namespace

TEST_CASE("a particle comes to rest at its radius above the floor of every room") {
    for (const Collider& room : rooms()) {
        CAPTURE(room.shape.index());
        for (const float radius : {0.0f, 0.1f}) {
            Description scene = scene_of(lone_particle({0.002, 0.5, 0.001}), with_substeps(10));
            scene.bodies[0].radius = radius;
            scene.colliders = {room};
            Simulation simulation = start(scene);
            run(simulation, 90);
            const double skin = room.shape.index() == 7 ? 1e-4 : 0;
            CHECK(std::abs(simulation.view().positions[0].y - radius) < 2e-5 + skin);
            CHECK(length(simulation.view().velocities[0]) < 0.01);
        }
    }
}

TEST_CASE("what flies in a room at 1000 m/s stays in it, at any lane width") {
    for (const Collider& room : rooms()) {
        if (std::holds_alternative<Plane>(room.shape)) continue;
        CAPTURE(room.shape.index());
        Particles swarm;
        for (int i = 0; i < 40; ++i)
            swarm.positions.push_back({0.01f * static_cast<float>(i % 7 - 3),
                                       0.4f + 0.005f * static_cast<float>(i),
                                       0.01f * static_cast<float>(i % 5 - 2)});
        Body body = body_of(std::move(swarm), {0, 0, 0});
        body.velocity = {777, -311, 593};
        body.contact.bodies = false;
        Description scene = scene_of(std::move(body), with_substeps(10));
        scene.colliders = {room};
        scene.colliders[0].restitution = 0.9f;
        scene.colliders[0].friction = 0;
        Simulation simulation = start(scene);
        double farthest = 0;
        for (int frame = 0; frame < 60; ++frame) {
            simulation.step();
            for (const Vec3& p : simulation.view().positions)
                farthest = std::max(farthest, length(Vec3{p.x, p.y - 1, p.z}));
        }
        CHECK(farthest < 2.6);  // the ring reaches farthest, to 2.5 m
    }
}

TEST_CASE("a belt takes along what lies on it, with μ·g until it is as fast") {
    for (const bool as_mesh : {false, true}) {
        CAPTURE(as_mesh);
        Collider belt;
        belt.shape = Box{{0, -0.5, 0}, {20, 0.5f, 2}, {}};
        if (as_mesh) {
            TriangleMesh box = *make_box_surface({40, 1, 4}, {40, 1, 4});
            for (Vec3& p : box.positions) p.y -= 0.5f;
            belt.shape = mesh_of(box);
        }
        belt.friction = 0.4f;
        belt.surface_velocity = {2, 0, 0};
        Description scene = scene_of(lone_particle({0.01, 0.001, 0.02}), with_substeps(10));
        scene.colliders = {belt};
        Simulation simulation = start(scene);
        run(simulation, 15);
        CHECK(relative_error(simulation.view().velocities[0].x, 0.4 * double(9.81f) * 0.25) < 0.03);
        run(simulation, 105);
        CHECK(relative_error(simulation.view().velocities[0].x, 2.0) < 1e-3);
        // v·t − v²/2μg
        const double way = 2 * 2.0 - 4 / (2 * 0.4 * double(9.81f));
        CHECK(relative_error(simulation.view().positions[0].x - 0.01, way) < 0.01);
        CHECK(std::abs(simulation.view().positions[0].z - 0.02) < 1e-4);
        CHECK(std::abs(simulation.view().positions[0].y) < 2e-3);
    }
}

TEST_CASE("particles that are tied to a collider follow its motion and its turn") {
    Player player = play(R"({
        "bodies": [{ "name": "rope", "rope": { "points": [[0.5, 1, 0], [0.5, 0.5, 0]] } }],
        "attachments": [{ "body": "rope", "indices": [0], "to_collider": 0 }],
        "colliders": [{ "sphere": { "center": [0, 1, 0], "radius": 0.3 },
                        "motion": [{ "time": 0 }, { "time": 1, "offset": [0, 1, 0], "rotation": [0, 90, 0] }] }]
    })");
    for (int frame = 0; frame < 90; ++frame) succeed(player.step());
    const Vec3 end = player.view().positions[0];
    CHECK(distance(end, Vec3{0, 2, -0.5f}) < 1e-3);
}

// A table of 2 m × 2 m that rises by 0.5 m at one side, and stays so: two poses, written as files.
TEST_CASE("a mesh lifts what lies on it and what is tied to it from pose to pose") {
    const Directory folder("collider_poses");
    for (int pose = 0; pose < 2; ++pose) {
        TriangleMesh box = *make_box_surface({2, 0.2f, 2}, {8, 1, 8});
        for (Vec3& p : box.positions) p.y += 0.25f * static_cast<float>(pose) * (p.x + 1);
        REQUIRE(write_surface(folder.path / ("table_" + std::to_string(pose) + ".obj"), box));
    }
    SceneSource source;
    source.directory = folder.path;
    auto scene = parse_scene(R"({
        "bodies": [
            { "name": "ball", "particles": { "points": [[0.5, 0.2, 0.3]] }, "radius": 0.05 },
            { "name": "rope", "rope": { "points": [[0.9, 0.1, 0], [0.9, 0.6, 0]] }, "radius": 0.01 }
        ],
        "attachments": [{ "body": "rope", "indices": [1], "to_collider": 0 }],
        "colliders": [{ "mesh": { "poses": ["table_0.obj", "table_1.obj"], "poses_per_second": 1 }, "friction": 2 }]
    })",
                             source);
    REQUIRE_MESSAGE(scene, scene.error().text());
    auto player = Player::create(std::move(*scene), on_threads(1));
    REQUIRE_MESSAGE(player, player.error().text());
    double lowest = 1;
    for (int frame = 0; frame < 150; ++frame) {
        succeed(player->step());
        const Vec3 p = player->view().positions[0];
        const double time = std::min(player->view().time, 1.0);
        const double top = 0.1 + 0.25 * time * (double(p.x) + 1), slope = 0.25 * time;
        lowest = std::min(lowest, (double(p.y) - top) / std::sqrt(1 + slope * slope));
    }
    CHECK(lowest > 0.05 - 1e-3);
    const Vec3 p = player->view().positions[0];
    CHECK(std::abs(p.y - (0.1 + 0.25 * (double(p.x) + 1) + 0.05 * std::sqrt(1 + 0.0625))) < 2e-3);
    CHECK(std::abs(p.x - 0.5) < 0.1);  // friction held it
    // The tied end stood 0.5 m above the table, and does so at right angles to it in the end.
    const double size = std::sqrt(1 + 0.0625);
    const Vec3 tied = player->view().positions[2];
    CHECK(distance(tied, Vec3{float(0.9 - 0.5 * 0.25 / size), float(0.1 + 0.25 * 1.9 + 0.5 / size), 0}) <
          5e-3);
}

TEST_CASE("what a collider cannot be is an Error with its path") {
    const auto error_of = [](const std::string& collider, const std::string& more = "") {
        const auto scene =
            parse_scene(R"({ "bodies": [{ "name": "b", "particles": { "points": [[0, 1, 0]] } }],)" + more +
                        R"( "colliders": [)" + collider + "] }");
        REQUIRE(!scene);
        return scene.error().text();
    };
    const auto names = [&](const std::string& text, const char* path) {
        CAPTURE(text);
        CHECK(text.find(path) != std::string::npos);
    };
    names(error_of(R"({ "mesh": {} })"), "/colliders/0/mesh/file");
    names(error_of(R"({ "mesh": { "file": "no_such.obj" } })"), "no_such.obj");
    names(error_of(R"({ "mesh": { "positions": [[0, 0, 0]], "triangles": [] } })"),
          "/colliders/0/mesh/triangles");
    names(error_of(R"({ "mesh": { "positions": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,7]] } })"),
          "/colliders/0/mesh/triangles");
    names(error_of(R"({ "height_field": { "columns": 2, "rows": 2, "heights": [1, 2] } })"),
          "/colliders/0/height_field/heights");
    names(error_of(R"({ "torus": { "major_radius": 0.1, "minor_radius": 0.2 } })"), "minor_radius");
    names(error_of(R"({ "cylinder": { "a": [0, 0, 0], "b": [0, 0, 0] } })"), "/b");
    names(error_of(R"({ "cone": { "radius": -1 } })"), "radius");
    names(
        error_of(
            R"({ "mesh": { "positions": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,2]] }, "inverted": true })"),
        "inverted");
    names(error_of(R"({ "plane": {} })",
                   R"("attachments": [{ "body": "b", "indices": [0], "to_collider": 1 }],)"),
          "/attachments/0/to_collider");
    names(
        error_of(
            R"({ "plane": {} })",
            R"("attachments": [{ "body": "b", "indices": [0], "to_collider": 0, "motion": [{ "time": 0 }] }],)"),
        "/attachments/0/motion");
}
