// Free particles with radii meet each other as balls.
#include <doctest/doctest.h>
#include <pliant/bounds.h>

#include <algorithm>
#include <cmath>

#include "solvers/position_based/grains/grain_cells.h"
#include "support/simulations.h"

namespace pliant::test {
namespace {

constexpr float radius = 0.01f;

Body sand(std::vector<Vec3> positions, Vec3d position, float friction = 0.5f) {
    Particles particles;
    particles.positions = std::move(positions);
    particles.material.mass = 0.001f;
    Body body = body_of(std::move(particles), position);
    body.radius = radius;
    body.contact.friction = friction;
    return body;
}

// Loose rows that fall on the floor.
Description rain(int rows, float friction = 0.5f) {
    const float size = 0.03f * (static_cast<float>(rows) - 0.5f);
    Description description;
    description.bodies = {
        sand(*make_grains({size, size, size}, 0.03f, 0.16f), {0, size / 2.0 + 0.02, 0}, friction)};
    description.colliders.push_back({});
    description.colliders[0].shape = Plane{};
    return description;
}

// The deepest of all pairs, over the radius. Pairs by the same search, at another distance; the case below
// compares that search with all pairs.
double deepest_overlap(const View& view) {
    solvers::position_based::GrainCells cells;
    Executor executor(1, {});
    cells.sort(view.positions, std::vector<float>(view.positions.size(), radius), executor);
    double deepest = 0;
    for (std::size_t chunk = 0; chunk < cells.chunks(); ++chunk) {
        cells.list(chunk, [&](std::uint32_t a, std::uint32_t b) {
            const double apart = distance(view.positions[cells.order()[a]], view.positions[cells.order()[b]]);
            deepest = std::max(deepest, 2 * radius - apart);
        });
    }
    return deepest / radius;
}

double kinetic_energy_per_mass(const View& view) {
    double sum = 0;
    for (const Vec3& v : view.velocities) sum += dot(v, v) / 2.0;
    return sum / static_cast<double>(view.velocities.size());
}

Bounds3 bounds(const View& view) { return bounds_of(view.positions); }

void comes_to_rest(int rows) {
    Simulation simulation = start(rain(rows));
    const double drop = 9.81 * bounds(simulation.view()).center().y;  // per mass, of the mean grain
    run(simulation, 300);
    CHECK(kinetic_energy_per_mass(simulation.view()) < 1e-6 * drop);
    CHECK(deepest_overlap(simulation.view()) < 0.01);
    CHECK(bounds(simulation.view()).low.y > 0.99f * radius);
    // More than one layer: they did not fall through each other.
    CHECK(bounds(simulation.view()).high.y > 5 * radius);
}

}  // namespace

TEST_CASE("a thousand grains come to rest on each other within 5 s") { comes_to_rest(10); }

TEST_CASE("longer run: ten thousand grains come to rest on each other within 5 s" * doctest::skip()) {
    comes_to_rest(22);
}

TEST_CASE("twenty balls stand on each other, and none sinks into the next") {
    std::vector<Vec3> positions;
    for (int i = 0; i < 20; ++i) positions.push_back({0, radius * static_cast<float>(2 * i + 1), 0});
    Description description;
    description.bodies = {sand(positions, {})};
    description.colliders.push_back({});
    description.colliders[0].shape = Plane{};
    Simulation simulation = start(description);
    run(simulation, 300);
    CHECK(deepest_overlap(simulation.view()) < 0.01);
    CHECK(bounds(simulation.view()).high.y == doctest::Approx(39 * radius).epsilon(0.005));
}

TEST_CASE("a heap of grains is the higher and narrower the more friction they have") {
    double last_height = 0, last_width = 1e9;
    for (const float friction : {0.05f, 0.2f, 0.6f}) {
        Simulation simulation = start(rain(12, friction));
        run(simulation, 200);
        CAPTURE(friction);
        const Bounds3 box = bounds(simulation.view());
        CHECK(box.high.y > 1.1 * last_height);
        CHECK(box.extent().x < last_width);
        last_height = box.high.y;
        last_width = box.extent().x;
    }
}

TEST_CASE("balls that collide keep their momentum and bounce by their restitution") {
    for (const float restitution : {0.0f, 0.5f, 1.0f}) {
        CAPTURE(restitution);
        Description description;
        description.bodies = {sand({{-0.1f, 0, 0}, {0.1f, 0, 0}}, {}, 0)};
        description.bodies[0].contact.restitution = restitution;
        description.settings.gravity = {};
        Simulation simulation = start(description);
        succeed(simulation.set_velocity(0, {2, 0, 0}));
        succeed(simulation.set_velocity(1, {-1, 0, 0}));
        run(simulation, 30);
        const View view = simulation.view();
        CHECK(view.velocities[0].x + view.velocities[1].x == doctest::Approx(1).epsilon(1e-5));
        CHECK(view.velocities[1].x - view.velocities[0].x == doctest::Approx(3 * restitution).epsilon(0.01));
    }
}

TEST_CASE("grains of two bodies, of different size and far from the origin, touch") {
    Description description;
    description.bodies = {sand({{0, 0, 0}}, {1e5, 0, 0}), sand({{0, 0, 0}}, {1e5, 0, 0})};
    Particles& large = std::get<Particles>(description.bodies[0].shape);
    large.radii = {0.05f};
    large.material.mass = 1;
    description.bodies[0].name = "large";
    description.bodies[0].pinned = {0};
    description.bodies[1].name = "small";
    description.bodies[1].position.y += 0.2;
    Simulation simulation = start(description);
    run(simulation, 120);
    CHECK(simulation.view().positions[1].y == doctest::Approx(0.06).epsilon(0.01));
    description.bodies[1].contact.bodies = false;
    Simulation ghost = start(description);
    run(ghost, 120);
    CHECK(ghost.view().positions[1].y < -1);
}

TEST_CASE("grains give the same bits at any number of threads and after a restore") {
    std::vector<std::uint64_t> hashes;
    for (const int threads : {1, 2, 5}) {
        Simulation simulation = start(rain(12), on_threads(threads));
        run(simulation, 30);
        const auto saved = simulation.save();
        run(simulation, 20);
        hashes.push_back(simulation.state_hash());
        Simulation other = start(rain(12), on_threads(threads));
        succeed(other.restore(saved));
        run(other, 20);
        hashes.push_back(other.state_hash());
    }
    for (const std::uint64_t hash : hashes) CHECK(hash == hashes[0]);
}

TEST_CASE("grains that start in one place come apart without speed") {
    Description description;
    description.bodies = {sand(std::vector<Vec3>(200, Vec3{}), {})};
    description.settings.gravity = {};
    Simulation simulation = start(description);
    for (int frame = 0; frame < 200; ++frame) {
        simulation.step();
        for (const Vec3& v : simulation.view().velocities) REQUIRE(length(v) < 1);
    }
    CHECK(bounds(simulation.view()).diagonal() > 4 * radius);
}

TEST_CASE("a million grains in one place neither hang nor take all memory") {
    Description description;
    description.bodies = {sand(std::vector<Vec3>(1'000'000, Vec3{}), {0, 1, 0})};
    description.settings.substeps = 1;
    Simulation simulation = start(description);
    simulation.step();
    CHECK(std::isfinite(simulation.view().positions[0].y));
}

TEST_CASE("the search of grains finds each pair once, near or spread over kilometres") {
    for (const float spread : {0.1f, 1000.0f}) {
        CAPTURE(spread);
        std::vector<Vec3> points = *make_grains({0.12f, 0.12f, 0.12f}, 0.015f, 0.5f);
        for (std::size_t i = 0; i < points.size(); i += 3) points[i] = points[i] + Vec3{spread, 0, -spread};
        std::vector<std::pair<std::uint32_t, std::uint32_t>> found, all;
        solvers::position_based::GrainCells cells;
        Executor executor(2, {});
        cells.sort(points, std::vector<float>(points.size(), 0.0239f / 2), executor);
        for (std::size_t chunk = 0; chunk < cells.chunks(); ++chunk) {
            cells.list(chunk, [&](std::uint32_t a, std::uint32_t b) {
                found.push_back(std::minmax(cells.order()[a], cells.order()[b]));
            });
        }
        for (std::uint32_t a = 0; a < points.size(); ++a) {
            for (std::uint32_t b = a + 1; b < points.size(); ++b) {
                const Vec3 d = points[b] - points[a];
                if (dot(d, d) <= 0.0239f * 0.0239f) all.push_back({a, b});
            }
        }
        std::sort(found.begin(), found.end());
        CHECK(found == all);
    }
}

}  // namespace pliant::test
