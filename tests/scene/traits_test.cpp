// What the solver tells of each particle, to be shown.
#include <algorithm>
#include <set>

#include "scenes/scenes.h"
#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

std::size_t different(const std::vector<float>& values) {
    return std::set<float>(values.begin(), values.end()).size();
}

}  // namespace

TEST_CASE("every particle has a subdomain, and large bodies have several, and several blocks") {
    for (const char* name : {"j20", "c60"}) {
        CAPTURE(name);
        const Simulation simulation = start(*scenes::make(name));
        for (const Trait trait : {Trait::subdomain, Trait::block}) {
            const std::vector<float> values = simulation.traits(trait);
            CHECK(values.size() == simulation.view().positions.size());
            if (trait == Trait::subdomain) CHECK(*std::min_element(values.begin(), values.end()) >= 0);
            CHECK(different(values) > 4);
        }
    }
}

TEST_CASE("solids and sheets with levels tell the nodes that move them, ropes have none") {
    for (const char* name : {"jelly", "drape"}) {
        CAPTURE(name);
        const std::vector<float> nodes = start(*scenes::make(name)).traits(Trait::level);
        CHECK(different(nodes) > 3);
        CHECK(different(nodes) < nodes.size() / 4);
    }
    const std::vector<float> none = start(*scenes::make("rope")).traits(Trait::level);
    CHECK(std::all_of(none.begin(), none.end(), [](float n) { return n == -1; }));
}

TEST_CASE("particles that rest on a collider touch it, others do not") {
    Description scene;
    scene.bodies.push_back(
        {.name = "box", .shape = SoftBody{.mesh = *make_box({1, 1, 1}, {4, 4, 4})}, .position = {0, 0.6, 0}});
    scene.colliders.push_back({.shape = Plane{}});
    Simulation simulation = start(scene);
    const auto touching = [&] {
        const std::vector<float> values = simulation.traits(Trait::contact);
        return std::count(values.begin(), values.end(), 1.0f);
    };
    CHECK(touching() == 0);
    run(simulation, 240);
    CHECK(touching() == 25);  // the lowest layer
}

TEST_CASE("bodies that lie on each other touch, where they do") {
    Description scene;
    scene.bodies.push_back(
        {.name = "below", .shape = SoftBody{.mesh = *make_box({1, 1, 1}, {4, 4, 4})}, .position = {0, 1, 0}});
    scene.bodies.push_back({.name = "above",
                            .shape = SoftBody{.mesh = *make_box({0.6f, 0.6f, 0.6f}, {4, 4, 4})},
                            .position = {0, 1.85, 0}});
    scene.colliders.push_back({.shape = Box{.half_extents = {2, 0.5f, 2}}});
    Simulation simulation = start(scene);
    const auto touching = [&](const BodyView& body, double low, double high) {
        const std::vector<float> values = simulation.traits(Trait::contact);
        std::size_t count = 0;
        for (std::uint32_t p = body.first_particle; p < body.first_particle + body.particle_count; ++p) {
            const float y = simulation.view().positions[p].y;
            if (y > low && y < high && values[p] == 1) ++count;
        }
        return count;
    };
    CHECK(touching(simulation.view().bodies[1], -10, 10) == 0);
    run(simulation, 240);
    const BodyView below = simulation.view().bodies[0], above = simulation.view().bodies[1];
    CHECK(touching(above, 1.4, 1.6) == 25);  // its lowest layer
    CHECK(touching(above, 1.6, 10) == 0);
    CHECK(touching(below, 1.4, 1.6) >= 9);  // those below it
    CHECK(touching(below, 0.6, 1.4) == 0);
    CHECK(touching(below, 0.4, 0.6) == 25);  // on the collider
}

TEST_CASE("grains that lie on each other touch") {
    Description scene;
    Particles grains;
    grains.positions = {{0, 0.01f, 0}, {0, 0.03f, 0}, {1, 0.5f, 0}};
    grains.material.mass = 0.001f;
    Body body = body_of(std::move(grains), {});
    body.radius = 0.01f;
    scene.bodies.push_back(std::move(body));
    scene.colliders.push_back({.shape = Plane{}});
    Simulation simulation = start(scene);
    run(simulation, 10);
    CHECK(simulation.traits(Trait::contact) == std::vector<float>{1, 1, 0});
}
