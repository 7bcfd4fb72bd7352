// Bodies that start in each other come apart calmly.
#include <doctest/doctest.h>

#include <algorithm>

#include "mesh/geometry/intersection.h"
#include "support/random_source.h"
#include "support/simulations.h"

namespace pliant::test {
namespace {

Body sheet(int cells, Vec3d position) {
    Cloth cloth;
    cloth.mesh =
        *make_sheet(0.01f * static_cast<float>(cells), 0.01f * static_cast<float>(cells), cells, cells);
    return body_of(std::move(cloth), position);
}

Description scene(std::vector<Body> bodies, bool has_floor) {
    Description description;
    for (Body& body : bodies) {
        body.name = "body" + std::to_string(description.bodies.size());
        description.bodies.push_back(std::move(body));
    }
    if (has_floor) {
        description.colliders.push_back({});
        description.colliders[0].shape = Plane{};
    } else {
        description.settings.gravity = {};
    }
    return description;
}

std::uint64_t crossings(const View& view) {
    return mesh::count_intersecting_pairs(view.positions, view.triangles, 1000);
}

struct Outcome {
    std::uint64_t crossings = 0;  // at the end
    double fastest = 0;           // m/s, of a particle, in any frame
    double highest = -1e9;        // m, in any frame
};

Outcome outcome(const Description& description, int frames) {
    Simulation simulation = start(description, on_threads(2));
    Outcome result;
    for (int frame = 0; frame < frames; ++frame) {
        simulation.step();
        const View view = simulation.view();
        for (const Vec3& v : view.velocities) result.fastest = std::max(result.fastest, length(v));
        for (const Vec3& p : view.positions) result.highest = std::max(result.highest, double(p.y));
    }
    REQUIRE(all_finite(simulation.view()));
    result.crossings = crossings(simulation.view());
    return result;
}

}  // namespace

TEST_CASE("boxes that overlap by a tenth, a third and a half come apart without speed") {
    for (const double overlap : {0.1, 0.3, 0.5}) {
        for (const double aside : {0.0, 0.13}) {
            CAPTURE(overlap);
            CAPTURE(aside);
            const Outcome result = outcome(
                scene({soft_box(0.4f, 5, {}), soft_box(0.4f, 5, {0.4 * (1 - overlap), aside, aside})}, false),
                60);
            CHECK(result.crossings == 0);
            CHECK(result.fastest < 0.5);
        }
    }
}

TEST_CASE("a box inside another comes out of it, on the floor too") {
    for (const bool has_floor : {false, true}) {
        CAPTURE(has_floor);
        const Outcome result = outcome(
            scene({soft_box(0.4f, 4, {0, 0.2, 0}), soft_box(0.1f, 2, {0.1, 0.21, 0.02})}, has_floor), 90);
        CHECK(result.crossings == 0);
        CHECK(result.fastest < (has_floor ? 2.5 : 1));
    }
}

TEST_CASE("a heap of boxes that start in each other does not burst") {
    std::vector<Body> bodies;
    RandomSource random(3);
    for (int i = 0; i < 50; ++i) {
        const Vec3d aside = random.point(0.02);
        const Vec3d place{0.17 * (i % 4), 0.13 + 0.17 * (i / 16), 0.17 * (i / 4 % 4)};
        bodies.push_back(soft_box(0.2f, 4, place + aside));
    }
    const Description description = scene(std::move(bodies), true);
    const Outcome parting = outcome(description, 20), result = outcome(description, 100);
    CHECK(parting.fastest < 1.7);  // what falls, too
    CHECK(result.crossings == 0);
    CHECK(result.highest < 1.05);  // 0.86 at the start
}

TEST_CASE("two sheets mixed at random part, and so does a corner that is 3 cm through") {
    std::vector<Body> bodies;
    SUBCASE("mixed") {
        bodies = {sheet(40, {}), sheet(40, {0.003, 0.002, 0.002})};
        RandomSource random(5);
        for (Body& body : bodies) {
            for (Vec3& p : std::get<Cloth>(body.shape).mesh.positions)
                p.y += random.real_float(-0.003, 0.003);
        }
    }
    SUBCASE("corner") {
        Body upper = sheet(40, {0, 0.07, 0});
        for (Vec3& p : std::get<Cloth>(upper.shape).mesh.positions) {
            const float along = (p.x + p.z) * 0.70710678f, across = (p.x - p.z) * 0.70710678f;
            p = {across, along + 0.18f, 0.3f * along};
        }
        bodies = {sheet(40, {}), upper};
    }
    Description description = scene(std::move(bodies), false);
    CHECK(crossings(start(description).view()) > 10);
    for (const ContactQuality quality : {ContactQuality::surfaces, ContactQuality::safe}) {
        CAPTURE(int(quality));
        description.settings.contact_quality = quality;
        const Outcome result = outcome(description, 60);
        CHECK(result.crossings == 0);
        CHECK(result.fastest < 1);
    }
}

TEST_CASE("the default box in the default plane rises calmly, and no element of it inverts") {
    SoftBody soft;
    soft.mesh = *make_box({1, 1, 1}, {8, 8, 8});
    Description description = scene({body_of(std::move(soft))}, true);
    Simulation simulation = start(description);
    double highest = 0, fastest = 0;
    for (int frame = 0; frame < 300; ++frame) {
        simulation.step();
        for (const Vec3& p : simulation.view().positions) highest = std::max(highest, double(p.y));
        for (const Vec3& v : simulation.view().velocities) fastest = std::max(fastest, length(v));
        REQUIRE(simulation.diagnostics().inverted_tetrahedra == 0);
    }
    double lowest = 1;
    for (const Vec3& p : simulation.view().positions) lowest = std::min(lowest, double(p.y));
    CHECK(lowest > -1e-6);
    CHECK(highest < 1.1);
    CHECK(fastest < 1);
}

TEST_CASE("a lone particle leaves a collider at 0.25 m/s, and brings no speed along") {
    Description description = scene_of(lone_particle({0, -0.5, 0}));
    description.colliders.push_back({Plane{}});
    Simulation simulation = start(description);
    for (int frame = 1; frame <= 140; ++frame) {
        simulation.step();
        const double height = simulation.view().positions[0].y;
        CHECK(std::abs(height - std::min(-0.5 + frame / 240.0, 0.0)) < 1e-5);
        CHECK(length(simulation.view().velocities[0]) < 1e-3);  // 1e-6 of the depth per substep
    }
}

TEST_CASE("what overlaps is said, with its depth") {
    const Description description =
        scene({soft_box(0.4f, 4, {0, 0.1, 0}), soft_box(0.4f, 4, {0.31, 0.6, 0.05}),
               soft_box(0.4f, 4, {0.33, 0.9, 0.02})},
              true);
    const std::vector<Overlap> overlaps = start(description).overlaps();
    REQUIRE(overlaps.size() == 2);
    CHECK(overlaps[0].is_collider);
    CHECK(overlaps[0].body == 0);
    CHECK(overlaps[0].depth == doctest::Approx(0.1).epsilon(1e-3));
    CHECK_FALSE(overlaps[1].is_collider);
    CHECK(overlaps[1].body == 1);
    CHECK(overlaps[1].other == 2);
    CHECK(overlaps[1].depth == doctest::Approx(0.1).epsilon(0.05));
    CHECK(overlaps[1].crossings > 0);
}

TEST_CASE("parting gives the same bits at any number of threads and after a restore") {
    const Description description = scene(
        {soft_box(0.4f, 4, {0, 0.25, 0}), soft_box(0.4f, 4, {0.3, 0.3, 0.05}), sheet(30, {0, 0.4, 0})}, true);
    std::vector<std::uint64_t> hashes;
    for (const int threads : {1, 2, 3}) {
        Simulation simulation = start(description, on_threads(threads));
        run(simulation, 5);
        const auto saved = simulation.save();
        run(simulation, 10);
        hashes.push_back(simulation.state_hash());
        Simulation other = start(description, on_threads(threads));
        succeed(other.restore(saved));
        run(other, 10);
        hashes.push_back(other.state_hash());
    }
    for (const std::uint64_t hash : hashes) CHECK(hash == hashes[0]);
}

}  // namespace pliant::test
