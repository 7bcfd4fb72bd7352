// What a simulation shows, and that reset, save and restore repeat it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "support/mixed_scene.h"

using namespace pliant;
using namespace pliant::test;

TEST_CASE("a view shows particles, names and triangles in the order of the description") {
    const Description scene = mixed_scene();
    Simulation simulation = start(scene);
    const View view = simulation.view();
    REQUIRE(view.bodies.size() == 4);
    CHECK(view.bodies[0].name == "jelly");
    CHECK(view.bodies[1].name == "sheet");
    CHECK(view.bodies[2].name == "body2");
    CHECK(view.bodies[3].name == "grains");

    std::uint32_t next_particle = 0, next_triangle = 0;
    for (std::size_t b = 0; b < 4; ++b) {
        const BodyView& body = view.bodies[b];
        CHECK(body.first_particle == next_particle);
        CHECK(body.first_triangle == next_triangle);
        next_particle += body.particle_count;
        next_triangle += body.triangle_count;
        const std::vector<Vec3>& points = points_of(scene.bodies[b]);
        REQUIRE(body.particle_count == points.size());
        for (std::uint32_t i = 0; i < body.particle_count; ++i) {
            const Vec3d world = to_double(points[i]) + scene.bodies[b].position;
            CHECK(length(to_double(view.positions[body.first_particle + i]) - world) < 1e-6);
            const bool pinned =
                std::count(scene.bodies[b].pinned.begin(), scene.bodies[b].pinned.end(), i) > 0;
            CHECK(view.velocities[body.first_particle + i] == (pinned ? Vec3{} : scene.bodies[b].velocity));
        }
        for (std::uint32_t t = body.first_triangle; t < body.first_triangle + body.triangle_count; ++t) {
            for (const std::uint32_t p : view.triangles[t]) {
                CHECK(p >= body.first_particle);
                CHECK(p < body.first_particle + body.particle_count);
            }
        }
    }
    CHECK(view.positions.size() == next_particle);
    CHECK(view.velocities.size() == next_particle);
    CHECK(view.triangles.size() == next_triangle);
    CHECK(view.bodies[0].triangle_count == 48);  // surface of 2 × 2 × 2 cells
    CHECK(view.bodies[1].triangle_count == 32);
    CHECK(view.bodies[2].triangle_count == 0);
    CHECK(view.frame == 0);
    CHECK(view.time == 0);
}

TEST_CASE("a view shows lines, tetrahedra, radii, anchors and colliders by itself") {
    Description scene = mixed_scene();
    scene.bodies[3].radius = 0.02f;
    Simulation simulation = start(scene);
    const View view = simulation.view();
    const auto& mesh = std::get<SoftBody>(scene.bodies[0].shape).mesh;
    CHECK(view.bodies[0].tetrahedron_count == mesh.tetrahedra.size());
    CHECK(view.tetrahedra.size() == mesh.tetrahedra.size());
    CHECK(view.tetrahedra[5] == mesh.tetrahedra[5]);  // the first body's particles come first

    const BodyView &rope = view.bodies[2], &grains = view.bodies[3];
    REQUIRE(rope.line_count == rope.particle_count - 1);
    CHECK(rope.smooth_lines);
    CHECK(view.lines[rope.first_line] == Edge{rope.first_particle, rope.first_particle + 1});
    const auto& links = std::get<Particles>(scene.bodies[3].shape).links;
    REQUIRE(grains.line_count == links.size());
    CHECK(!grains.smooth_lines);
    for (std::uint32_t i = 0; i < grains.line_count; ++i) {
        CHECK(view.lines[grains.first_line + i] ==
              Edge{grains.first_particle + links[i].a, grains.first_particle + links[i].b});
    }
    REQUIRE(view.radii.size() == view.positions.size());
    CHECK(view.radii[grains.first_particle] == 0.02f);
    CHECK(view.gravity == scene.settings.gravity);
    CHECK(view.skins.empty());

    std::size_t anchors = 0;
    for (const Body& body : scene.bodies) anchors += body.pinned.size();
    for (const Attachment& a : scene.attachments) anchors += std::holds_alternative<Vec3d>(a.target);
    REQUIRE(view.anchors.size() == anchors);
    for (const AnchorView& anchor : view.anchors) CHECK(anchor.particle < view.positions.size());

    CHECK(view.colliders.data() == simulation.colliders().data());
    const std::uint64_t before = view.topology_version;
    run(simulation, 5);
    CHECK(simulation.view().topology_version == before);
}

TEST_CASE("bodies that are tied together are one island, and textures belong to triangles") {
    Cloth cloth;
    cloth.mesh = *make_sheet(1, 1, 2, 2);
    Cloth plain;
    plain.mesh = *make_icosphere(1, 1);
    Description scene;
    scene.bodies = {body_of(plain), body_of(cloth), body_of(plain)};
    scene.attachments.push_back({.particle = {2, 0}, .target = ParticleReference{0, 0}});
    const Simulation simulation = start(scene);
    const View view = simulation.view();
    CHECK(view.bodies[0].island == view.bodies[2].island);
    CHECK(view.bodies[0].island != view.bodies[1].island);
    CHECK(view.bodies[0].texture_coordinate_count == 0);
    CHECK(view.bodies[1].texture_coordinate_count == view.bodies[1].triangle_count);
    const std::vector<std::array<Vec2, 3>> shown(view.texture_coordinates.begin(),
                                                 view.texture_coordinates.end());
    CHECK(shown == cloth.mesh.texture_coordinates);
}

TEST_CASE("a skin rides on its body, and what it cannot ride on is an error") {
    SoftBody box;
    box.mesh = *make_box({1, 1, 1}, {2, 2, 2});
    Body body = body_of(box);
    body.position = {3, 2, 1};
    body.skin = *make_icosphere(0.4f, 4);
    Simulation simulation = start(scene_of(body));
    run(simulation, 20);
    const View view = simulation.view();
    REQUIRE(view.skins.size() == 1);
    CHECK(view.skins[0].body == 0);
    CHECK(view.skins[0].triangles.size() == body.skin.triangles.size());
    const std::vector<Vec3> points = skin_positions(view, view.skins[0]);
    REQUIRE(points.size() == body.skin.positions.size());
    const Vec3d fallen = to_double(view.positions[0]) - to_double(box.mesh.positions[0]) - body.position;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3d expected = to_double(body.skin.positions[i]) + body.position + fallen;
        CHECK(length(to_double(points[i]) - expected) < 1e-4);
    }

    const auto path_of = [](const Body& wrong) { return Simulation::create(scene_of(wrong)).error().path; };
    Body wrong = body;
    wrong.skin.triangles[1][2] = 100000;
    CHECK(path_of(wrong) == "/bodies/0/skin/triangles/1/2");
    wrong = body;
    wrong.skin.positions[3].y = std::nanf("");
    CHECK(path_of(wrong) == "/bodies/0/skin/positions/3/y");
    wrong = body;
    wrong.skin.texture_coordinates.resize(1);
    CHECK(path_of(wrong) == "/bodies/0/skin/texture_coordinates");
    wrong = body;
    wrong.shape = Rope{.positions = {{0, 0, 0}, {1, 0, 0}}};
    CHECK(path_of(wrong) == "/bodies/0/skin");
}

TEST_CASE("frames and time are counted") {
    Simulation simulation = start(mixed_scene());
    run(simulation, 7);
    CHECK(simulation.view().frame == 7);
    CHECK(relative_error(simulation.view().time, 7 / 60.0) < 1e-7);
}

TEST_CASE("diagnostics count, and add up what is there") {
    const Description scene = mixed_scene();
    Simulation simulation = start(scene);
    const Diagnostics d = simulation.diagnostics();
    CHECK(d.particles == simulation.view().positions.size());
    CHECK(relative_error(d.rest_volume, 0.125) < 1e-6);
    CHECK(relative_error(d.volume, 0.125) < 1e-6);
    CHECK(d.inverted_tetrahedra == 0);
    CHECK(d.repaired_particles == 0);
    CHECK(d.total_energy == d.kinetic_energy + d.potential_energy);
    // 125 kg at 1 m/s, and three grains of 0.5 kg at rest.
    CHECK(relative_error(d.kinetic_energy, 62.5) < 1e-5);
    CHECK(relative_error(d.momentum.x, 125) < 1e-5);
    CHECK(d.worst_constraint_error >= d.mean_constraint_error);
}

TEST_CASE("reset goes back to the description exactly, but keeps changed parameters") {
    Simulation simulation = start(mixed_scene());
    const std::uint64_t at_start = simulation.state_hash();
    const std::vector<Vec3> positions(simulation.view().positions.begin(), simulation.view().positions.end());
    run(simulation, 30);
    const std::uint64_t after = simulation.state_hash();
    CHECK(after != at_start);
    simulation.reset();
    CHECK(simulation.state_hash() == at_start);
    CHECK(simulation.view().frame == 0);
    CHECK(simulation.view().time == 0);
    CHECK(std::equal(positions.begin(), positions.end(), simulation.view().positions.begin()));
    run(simulation, 30);
    CHECK(simulation.state_hash() == after);

    // Forces, pins and grabs go; settings stay.
    Settings settings = simulation.settings();
    settings.substeps = 3;
    succeed(simulation.configure(settings));
    succeed(simulation.set_force(0, {1, 2, 3}));
    succeed(simulation.pin(1));
    REQUIRE(bool(simulation.grab({0, 0, 0})));
    run(simulation, 3);
    simulation.reset();
    CHECK(simulation.state_hash() == at_start);
    CHECK(simulation.settings().substeps == 3);
}

TEST_CASE("reset after particles pinned in the description were freed pins them again") {
    Simulation simulation = start(mixed_scene());
    const std::uint64_t at_start = simulation.state_hash();
    run(simulation, 5);
    const std::uint64_t after = simulation.state_hash();
    succeed(simulation.unpin(simulation.view().bodies[1].first_particle));
    run(simulation, 5);
    simulation.reset();
    CHECK(simulation.state_hash() == at_start);
    const Vec3 corner = simulation.view().positions[simulation.view().bodies[1].first_particle];
    run(simulation, 5);
    CHECK(simulation.view().positions[simulation.view().bodies[1].first_particle] == corner);
    CHECK(after != at_start);
}

TEST_CASE("a simulation can be moved") {
    Simulation simulation = start(mixed_scene());
    Simulation other = start(mixed_scene());
    run(simulation, 5);
    Simulation moved = std::move(simulation);
    run(moved, 5);
    run(other, 10);
    CHECK(moved.state_hash() == other.state_hash());
    other = std::move(moved);
    other.step();
    CHECK(other.view().frame == 11);
}
