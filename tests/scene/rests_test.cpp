// Rest values that change while a simulation runs.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

Description hanging_chain() {
    Particles chain;
    for (int i = 0; i < 5; ++i) chain.positions.push_back({0, -0.5f * static_cast<float>(i), 0});
    for (std::uint32_t i = 0; i < 4; ++i) chain.links.push_back({i, i + 1});
    Settings settings = with_substeps(20);
    settings.drag = 0.1f;
    return scene_of(body_of(std::move(chain), {}, {0}), settings);
}

constexpr float no_constraint = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("a link takes the length that it is given while it runs, also after its particle is unpinned") {
    Simulation simulation = start(hanging_chain());
    succeed(simulation.set_rest("distance", 2, "rest_length", 0.8f));
    run(simulation, 240);
    const auto gap = [&] { return distance(simulation.view().positions[2], simulation.view().positions[3]); };
    CHECK(gap() == doctest::Approx(0.8).epsilon(0.01));
    succeed(simulation.unpin(0));  // the order of work changes, the rests stay
    run(simulation, 30);
    CHECK(gap() == doctest::Approx(0.8).epsilon(0.01));
    simulation.reset();
    run(simulation, 30);
    CHECK(gap() == doctest::Approx(0.5).epsilon(0.01));
}

TEST_CASE("a link whose rest is NaN is gone, and no longer counted") {
    Simulation simulation = start(hanging_chain());
    CHECK(simulation.diagnostics().constraints == 4);
    succeed(simulation.set_rest("distance", 3, "rest_length", no_constraint));
    CHECK(simulation.diagnostics().constraints == 3);
    run(simulation, 60);
    CHECK(all_finite(simulation.view()));
    CHECK(distance(simulation.view().positions[3], simulation.view().positions[4]) > 1);
    CHECK(distance(simulation.view().positions[2], simulation.view().positions[3]) < 0.51);
    CHECK(std::isfinite(simulation.diagnostics().total_energy));
}

TEST_CASE("changed rests are saved and restored, and run on with the same bits") {
    Simulation simulation = start(hanging_chain());
    succeed(simulation.set_rest("distance", 1, "rest_length", 0.7f));
    run(simulation, 20);
    const auto saved = simulation.save();
    run(simulation, 20);
    const std::uint64_t expected = simulation.state_hash();
    succeed(simulation.set_rest("distance", 1, "rest_length", no_constraint));
    run(simulation, 5);
    succeed(simulation.restore(saved));
    run(simulation, 20);
    CHECK(simulation.state_hash() == expected);
}

TEST_CASE("a rest of an unknown kind, constraint or name is an error that lists what there is") {
    Simulation simulation = start(hanging_chain());
    const Status kind = simulation.set_rest("distances", 0, "rest_length", 1);
    REQUIRE(!kind);
    CHECK(kind.error().text() ==
          "kind: must be one of isometric, dihedral, arap, neo_hookean, stvk, dirichlet, "
          "orthotropic_membrane, stvk_membrane, arap_membrane, dirichlet_membrane, distance, volume, "
          "attachment, angle, got \"distances\"");
    CHECK(!simulation.set_rest("distance", 4, "rest_length", 1));
    CHECK(!simulation.set_rest("distance", 0, "length", 1));
    CHECK(!simulation.set_rest("distance", 0, "rest_length", -1));
    CHECK(!simulation.set_rest("attachment", 0, "rest_length", 1));
    CHECK(!simulation.set_rest("volume", 0, "rest_volume", 1));
}
