// Saving and restoring all that moves.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/mixed_scene.h"

using namespace pliant;
using namespace pliant::test;

TEST_CASE("a restored snapshot runs on bit by bit") {
    Simulation simulation = start(mixed_scene());
    run(simulation, 10);
    succeed(simulation.set_force(3, {0, 5, 0}));
    const Result<std::uint32_t> grabbed = simulation.grab({0, 1, 0});
    REQUIRE(bool(grabbed));
    succeed(simulation.drag(*grabbed, {0.1, 1.2, 0}));
    const auto snapshot = simulation.save();
    const std::uint64_t here = simulation.state_hash();
    const auto go_on = [&] {
        std::vector<std::uint64_t> hashes;
        for (int frame = 0; frame < 20; ++frame) {
            simulation.step();
            hashes.push_back(simulation.state_hash());
        }
        return hashes;
    };
    const auto first = go_on();
    succeed(simulation.release(*grabbed));
    simulation.clear_forces();
    run(simulation, 5);
    succeed(simulation.restore(snapshot));
    CHECK(simulation.state_hash() == here);
    CHECK(simulation.view().frame == 10);
    CHECK(go_on() == first);

    // Also in another simulation of the same description.
    Simulation other = start(mixed_scene());
    succeed(other.restore(snapshot));
    run(other, 20);
    CHECK(other.state_hash() == first.back());
}

TEST_CASE("a snapshot from before a pinned particle was freed restores the pin") {
    Simulation simulation = start(mixed_scene());
    run(simulation, 10);
    const auto snapshot = simulation.save();
    run(simulation, 10);
    const std::uint64_t expected = simulation.state_hash();
    const std::uint32_t corner = simulation.view().bodies[1].first_particle;
    succeed(simulation.unpin(corner));
    run(simulation, 10);
    succeed(simulation.restore(snapshot));
    run(simulation, 10);
    CHECK(simulation.state_hash() == expected);
}

TEST_CASE("a snapshot of another scene with the same sizes is refused") {
    const auto particles = [](std::size_t count, std::vector<Link> links) {
        Particles p;
        for (std::size_t i = 0; i < count; ++i) p.positions.push_back({float(i), 0, 0});
        p.links = std::move(links);
        return p;
    };
    Description two;
    two.bodies = {body_of(particles(8, {{0, 1}})), body_of(particles(9, {{0, 1}}))};
    Description one = scene_of(body_of(particles(17, {{0, 1}, {1, 2}})));
    Simulation a = start(two), b = start(one);
    CHECK(!b.restore(a.save()));
    b.step();
}

TEST_CASE("a snapshot is refused where parts or islands differ, and nothing else") {
    Particles single, pair;
    single.positions = {{0, 0, 0}};
    pair.positions = {{0, 0, 0}, {1, 0, 0}};
    const auto tied = [](ParticleReference a, ParticleReference b, std::vector<Body> bodies) {
        Description scene;
        scene.bodies = std::move(bodies);
        scene.attachments = {{a, b, {}}};
        return scene;
    };
    // Two particles, an attachment between them: of one body, or of two.
    const Description one = tied({0, 0}, {0, 1}, {body_of(pair)});
    const Description two = tied({0, 0}, {1, 0}, {body_of(single), body_of(single, {1, 0, 0})});
    Simulation a = start(one), b = start(two);
    CHECK(a.view().positions.size() == b.view().positions.size());
    const Status refused = b.restore(a.save());
    REQUIRE(!refused);
    CHECK(refused.error().text().find("another scene") != std::string::npos);
    CHECK(!a.restore(b.save()));

    // The same bodies, not tied: two islands instead of one.
    Description loose = two;
    loose.attachments.clear();
    Simulation c = start(loose);
    CHECK(!c.restore(b.save()));
    // As many parts, of other bodies.
    Description renamed = two;
    renamed.bodies[0].name = "other";
    Simulation d = start(renamed);
    CHECK(!d.restore(b.save()));
    for (Simulation* simulation : {&a, &b, &c, &d}) {
        run(*simulation, 3);
        CHECK(all_finite(simulation->view()));
    }
}

TEST_CASE("restoring brings back settings and elasticities, and the run goes on bit by bit") {
    const auto hashes_after = [](Simulation& simulation) {
        std::vector<std::uint64_t> hashes;
        for (int frame = 0; frame < 20; ++frame) {
            simulation.step();
            hashes.push_back(simulation.state_hash());
        }
        return hashes;
    };
    Simulation simulation = start(mixed_scene());
    Settings changed = simulation.settings();
    changed.iterations = 2;
    changed.damping = 0.05f;
    succeed(simulation.configure(changed));
    succeed(simulation.set_elasticity("jelly", "edges", compliant(2e-4f, 0.01f)));
    run(simulation, 10);
    const auto snapshot = simulation.save();
    const auto expected = hashes_after(simulation);

    Settings other = changed;
    other.method = Method::pbd;
    other.substeps = 3;
    other.gravity = {1, 2, 3};
    other.wind = {5, 0, 0};
    other.air_density = 1;
    succeed(simulation.configure(other));
    succeed(simulation.set_elasticity("jelly", "edges", compliant(1e-2f)));
    const auto astray = hashes_after(simulation);
    CHECK(astray != expected);

    succeed(simulation.restore(snapshot));
    CHECK(simulation.settings().method == changed.method);
    CHECK(simulation.settings().substeps == changed.substeps);
    CHECK(simulation.settings().damping == changed.damping);
    CHECK(simulation.settings().gravity == changed.gravity);
    CHECK(hashes_after(simulation) == expected);

    // Also in a simulation that never was configured so.
    Simulation fresh = start(mixed_scene());
    succeed(fresh.restore(snapshot));
    CHECK(hashes_after(fresh) == expected);
}
