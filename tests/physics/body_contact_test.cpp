// Bodies touch each other and themselves.
#include <doctest/doctest.h>

#include "mesh/geometry/intersection.h"
#include "support/simulations.h"

namespace pliant::test {
namespace {

Body folding(Body body) {
    body.contact.self = true;
    return body;
}

Description on_the_floor(std::vector<Body> bodies, int substeps = 10) {
    Description description;
    for (Body& body : bodies) {
        body.name = "body" + std::to_string(description.bodies.size());
        description.bodies.push_back(std::move(body));
    }
    description.colliders.push_back({});
    description.colliders[0].shape = Plane{};
    description.settings.substeps = substeps;
    return description;
}

std::uint64_t crossings(const View& view) {
    return mesh::count_intersecting_pairs(view.positions, view.triangles, 1000);
}

double top_of(const View& view) {
    double top = -1e9;
    for (const Vec3& p : view.positions) top = std::max(top, double(p.y));
    return top;
}

std::vector<Body> tower(int boxes) {
    std::vector<Body> bodies;
    for (int i = 0; i < boxes; ++i) bodies.push_back(soft_box(0.2f, 4, {0, 0.1025 + 0.205 * i, 0}, 1e6f));
    return bodies;
}

// What five or ten boxes are high: their own heights and the gaps of their thickness, less the sag of a
// column of height H, ρgH²/2E.
void stands(int boxes, int substeps) {
    Simulation simulation = start(on_the_floor(tower(boxes), substeps));
    const double height = 0.205 * boxes;
    for (int frame = 0; frame < 300; ++frame) {
        simulation.step();
        CAPTURE(frame);
        REQUIRE(crossings(simulation.view()) == 0);
    }
    CHECK(top_of(simulation.view()) > 0.97 * height);
    CHECK(top_of(simulation.view()) < 1.01 * height);
}

}  // namespace

TEST_CASE("a tower of five soft boxes stands at 10 substeps") { stands(5, 10); }
TEST_CASE("a tower of ten soft boxes stands at 20 substeps") { stands(10, 20); }

TEST_CASE("a box that falls on another by 0.5 m does not enter it, in any frame") {
    Simulation simulation =
        start(on_the_floor({soft_box(1, 6, {0, 0.5, 0}, 1e6f), soft_box(1, 6, {0.3, 2, 0.2}, 1e6f)}));
    for (int frame = 0; frame < 180; ++frame) {
        simulation.step();
        CAPTURE(frame);
        REQUIRE(crossings(simulation.view()) == 0);
    }
    CHECK(all_finite(simulation.view()));
}

TEST_CASE("without contact the same boxes fall into each other") {
    Description description =
        on_the_floor({soft_box(1, 4, {0, 0.5, 0}, 1e5f), soft_box(1, 4, {0.3, 2.5, 0.2}, 1e5f)});
    SUBCASE("by the settings") { description.settings.contact_quality = ContactQuality::off; }
    SUBCASE("by a body") { description.bodies[0].contact.bodies = false; }
    SUBCASE("by groups") {
        description.bodies[0].contact.group = "ghosts";
        description.bodies[1].contact.ignores = {"ghosts"};
    }
    Simulation simulation = start(description);
    run(simulation, 120);
    CHECK(crossings(simulation.view()) > 0);
}

TEST_CASE("with safe contact, a cloth that has fallen on a soft box crosses neither it nor itself") {
    Description description =
        on_the_floor({soft_box(0.5f, 8, {0, 0.25, 0}, 1e5f), folding(square_cloth(1.2f, 60, {0, 0.8, 0}))});
    description.settings.contact_quality = ContactQuality::safe;
    Simulation simulation = start(description);
    run(simulation, 100);
    for (int frame = 100; frame < 120; ++frame) {
        simulation.step();
        CAPTURE(frame);
        REQUIRE(crossings(simulation.view()) == 0);
    }
    CHECK(top_of(simulation.view()) > 0.48);
    CHECK(top_of(simulation.view()) < 0.55);
}

TEST_CASE("two free bodies that collide keep their momentum") {
    Description description;
    description.bodies = {soft_box(1, 4, {-1, 0, 0}, 1e5f), soft_box(1, 4, {1, 0.1, 0.2}, 1e5f)};
    description.bodies[0].name = "left", description.bodies[1].name = "right";
    description.bodies[0].velocity = {2, 0, 0};
    description.bodies[1].velocity = {-2, 0, 0};
    description.settings.gravity = {};
    Simulation simulation = start(description);
    const double scale = 1000.0 * 2;  // kg·m/s of one of them
    for (int frame = 0; frame < 90; ++frame) {
        simulation.step();
        CHECK(length(simulation.diagnostics().momentum) < 5e-5 * scale);
    }
    const View view = simulation.view();
    double left = 0, right = 0;
    for (std::uint32_t i = 0; i < view.bodies[0].particle_count; ++i) left += double(view.velocities[i].x);
    for (std::uint32_t i = 0; i < view.bodies[1].particle_count; ++i)
        right += double(view.velocities[view.bodies[1].first_particle + i].x);
    CHECK(left < 0);
    CHECK(right > 0);
}

TEST_CASE(
    "on a slope of cloth that is held, a box slides just when the slope is steeper than friction holds") {
    for (const bool slides : {false, true}) {
        const double friction = 0.5, slope = slides ? 1.15 * friction : 0.85 * friction;
        const double cosine = 1 / std::sqrt(1 + slope * slope), sine = slope * cosine;
        Description description;
        Body ground = square_cloth(3, 12, {0, 0, 0});
        for (std::uint32_t i = 0; i < 13 * 13; ++i) ground.pinned.push_back(i);
        ground.contact.thickness = 0.01f;
        Body box = soft_box(0.3f, 3, {0, 0.165, 0}, 1e6f);
        ground.name = "ground", box.name = "box";
        description.bodies = {ground, box};
        // The world is turned instead of the slope.
        description.settings.gravity = {static_cast<float>(9.81 * sine), static_cast<float>(-9.81 * cosine),
                                        0};
        Simulation simulation = start(description);
        run(simulation, 60);
        const auto speed = [&] {
            const View view = simulation.view();
            double sum = 0;
            for (std::uint32_t i = 0; i < view.bodies[1].particle_count; ++i)
                sum += double(view.velocities[view.bodies[1].first_particle + i].x);
            return sum / view.bodies[1].particle_count;
        };
        CAPTURE(slides);
        CAPTURE(speed());
        if (slides) {
            CHECK(speed() > 0.3 * 9.81 * (sine - friction * cosine));
        } else {
            CHECK(std::abs(speed()) < 0.01);
        }
    }
}

TEST_CASE("contact gives the same bits at any number of threads and after a restore") {
    Description description =
        on_the_floor({soft_box(0.5f, 5, {0, 0.25, 0}, 1e5f), folding(square_cloth(1, 30, {0, 0.6, 0})),
                      soft_box(0.3f, 3, {0.1, 1.2, 0.05}, 1e6f)});
    SUBCASE("surfaces") { description.settings.contact_quality = ContactQuality::surfaces; }
    SUBCASE("safe") { description.settings.contact_quality = ContactQuality::safe; }
    SUBCASE("safe, damped, two iterations") {
        description.settings.contact_quality = ContactQuality::safe;
        description.settings.damping = 0.1f;
        description.settings.iterations = 2;
    }
    std::vector<std::uint64_t> hashes;
    const bool is_safe = description.settings.contact_quality == ContactQuality::safe;
    for (const int threads : is_safe ? std::vector{1, 2} : std::vector{1, 2, 5}) {
        Simulation simulation = start(description, on_threads(threads));
        run(simulation, is_safe ? 25 : 40);
        const auto saved = simulation.save();
        run(simulation, 20);
        hashes.push_back(simulation.state_hash());
        succeed(simulation.restore(saved));
        run(simulation, 20);
        hashes.push_back(simulation.state_hash());
        Simulation other = start(description, on_threads(threads));
        succeed(other.restore(saved));
        run(other, 20);
        hashes.push_back(other.state_hash());
    }
    for (const std::uint64_t hash : hashes) CHECK(hash == hashes[0]);
}

TEST_CASE("a body thicker than itself is refused, and so is a group that nobody is of") {
    Description description = on_the_floor({soft_box(1, 2, {0, 0.5, 0}, 1e6f)});
    description.bodies[0].contact.thickness = 5;
    auto refused = Simulation::create(description);
    REQUIRE(!refused);
    CHECK(refused.error().path == "/bodies/0/contact/thickness");
    description.bodies[0].contact.thickness = 0.01f;
    description.bodies[0].contact.ignores = {"nobody"};
    refused = Simulation::create(description);
    REQUIRE(!refused);
    CHECK(refused.error().path == "/bodies/0/contact/ignores/0");
}

TEST_CASE("what is near at rest is not pushed apart, however thick the cloth is") {
    Body body = square_cloth(1, 30, {0, 0, 0});
    body.contact.self = true;
    body.contact.thickness = 0.2f;  // six edges
    Description description;
    description.bodies = {body};
    description.settings.gravity = {};
    Simulation simulation = start(description);
    const std::vector<Vec3> before(simulation.view().positions.begin(), simulation.view().positions.end());
    run(simulation, 30);
    double farthest = 0;
    for (std::size_t i = 0; i < before.size(); ++i)
        farthest = std::max(farthest, distance(before[i], simulation.view().positions[i]));
    CHECK(farthest < 1e-4);
}

}  // namespace pliant::test
