// The material of soft bodies: presets, and what changes while running.
#include <doctest/doctest.h>
#include <pliant/presets.h>
#include <pliant/scene.h>
#include <pliant/shapes.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "scene/bodies/soft_body.h"
#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// A bar of a metre, 4 × 16 × 4 cells, held at its top.
Description hanging_bar(const SoftMaterial& material) {
    SoftBody bar;
    bar.mesh = *make_box({0.25f, 1, 0.25f}, {4, 16, 4});
    bar.material = material;
    std::vector<std::uint32_t> top;
    for (std::uint32_t i = 0; i < bar.mesh.positions.size(); ++i) {
        if (bar.mesh.positions[i].y > 0.499f) top.push_back(i);
    }
    Body body = body_of(std::move(bar), {}, top);
    body.name = "bar";
    Settings settings;
    settings.substeps = 20;
    return scene_of(body, settings);
}

SoftMaterial elastic(float young_modulus) {
    SoftMaterial material;
    material.young_modulus = young_modulus;
    material.poisson_ratio = 0.3f;
    material.damping = 0.05f;
    return material;
}

// How far the bottom hangs below where it was.
double sag(const Simulation& simulation) {
    float lowest = 0;
    for (const Vec3& p : simulation.view().positions) lowest = std::min(lowest, p.y);
    return -0.5 - static_cast<double>(lowest);
}

std::string error_of(const std::string& text) {
    const auto scene = parse_scene(text, {"s.json", PLIANT_SOURCE_DIR, {}});
    return scene ? "" : scene.error().text();
}

SoftMaterial material_of(const std::string& soft, const std::string& rest = "") {
    const auto scene = parse_scene(R"({"bodies": [{"name": "b", )" + soft + "}]" + rest + "}");
    if (!scene) FAIL(scene.error().text());
    return std::get<SoftBody>(scene->description.bodies[0].shape).material;
}

}  // namespace

TEST_CASE("a bar that turns softer while it hangs sags as one that always was") {
    // The true sag is ρgl²/2E: 9.8 and 49 mm.
    Simulation simulation = start(hanging_bar(elastic(5e5f))), soft = start(hanging_bar(elastic(1e5f)));
    run(simulation, 120);
    CHECK(sag(simulation) == doctest::Approx(0.00981).epsilon(0.1));
    succeed(simulation.set_material("bar", elastic(1e5f)));
    run(simulation, 240);
    run(soft, 360);
    CHECK(sag(simulation) == doctest::Approx(0.049).epsilon(0.1));
    CHECK(sag(simulation) == doctest::Approx(sag(soft)).epsilon(1e-3));
}

TEST_CASE("Poisson's ratio and damping change while running") {
    SoftMaterial material = elastic(1e5f);
    material.damping = 0;
    Simulation simulation = start(hanging_bar(material));
    run(simulation, 60);
    material.poisson_ratio = 0;
    material.damping = 0.2f;
    succeed(simulation.set_material("bar", material));
    run(simulation, 300);
    CHECK(simulation.diagnostics().kinetic_energy < 1e-3);  // of the 10 J that it swung with
    // Without lateral contraction the bar gains as much volume as length.
    const double strain = sag(simulation);
    CHECK(simulation.diagnostics().volume / 0.0625 == doctest::Approx(1 + strain).epsilon(0.01));
}

TEST_CASE("the parts of springs change by their material as by their elasticities") {
    SoftMaterial material;
    material.energy = Energy::springs;
    Simulation one = start(hanging_bar(material)), two = start(hanging_bar(material));
    run(one, 10);
    run(two, 10);
    material.edges = compliant(1e-4f, 0.01f);
    material.volumes = compliant(1e-6f);
    succeed(one.set_material("bar", material));
    succeed(two.set_elasticity("bar", "edges", material.edges));
    succeed(two.set_elasticity("bar", "volumes", material.volumes));
    run(one, 20);
    run(two, 20);
    CHECK(one.state_hash() == two.state_hash());
}

TEST_CASE("energy and density cannot change while running, and errors change nothing") {
    const SoftMaterial original = elastic(1e5f);
    Simulation simulation = start(hanging_bar(original)), untouched = start(hanging_bar(original));
    SoftMaterial material = elastic(1e6f);
    const auto refused = [&](std::string_view body) {
        const Status status = simulation.set_material(body, material);
        return status ? std::string() : status.error().text();
    };
    material.energy = Energy::stvk;
    CHECK(refused("bar") == "bar/energy: cannot change while running: it is arap, got stvk");
    material = elastic(1e6f);
    material.density = 2000;
    CHECK(refused("bar") == "bar/density: cannot change while running: it is 1000, got 2000");
    material = elastic(-1);
    CHECK(contains(refused("bar"), "bar/young_modulus: must be"));
    material = elastic(1e6f);
    material.edges.compliance = 1;
    CHECK(refused("bar") == "bar/edges: is of the energy springs; the energy is arap");
    CHECK(contains(refused("baz"), "\"bar\""));
    run(simulation, 5);
    run(untouched, 5);
    CHECK(simulation.state_hash() == untouched.state_hash());

    Simulation particle = start(scene_of(lone_particle({0, 0, 0}, {})));
    const Status status = particle.set_material("body0", original);
    REQUIRE(!status);
    CHECK(status.error().text() == "body0: is no soft body");
}

TEST_CASE("a snapshot keeps the material that was set") {
    Simulation simulation = start(hanging_bar(elastic(1e5f)));
    succeed(simulation.set_material("bar", elastic(1e6f)));
    run(simulation, 5);
    const auto saved = simulation.save();
    run(simulation, 10);
    const std::uint64_t expected = simulation.state_hash();
    succeed(simulation.set_material("bar", elastic(3e4f)));
    run(simulation, 5);
    succeed(simulation.restore(saved));
    run(simulation, 10);
    CHECK(simulation.state_hash() == expected);

    Simulation other = start(hanging_bar(elastic(1e5f)));
    succeed(other.restore(saved));
    run(other, 10);
    CHECK(other.state_hash() == expected);
}

TEST_CASE("a material event changes the modulus by equal factors") {
    const std::string scene = R"({"solver": {"time_step": 0.02},
        "bodies": [{"name": "bar", "soft": {"box": {"cells": [2, 4, 2]}, "young_modulus": 1e4, "poisson_ratio": 0.2},
                    "pins": [{"region": {"low": [-1, 0.4, -1], "high": [1, 1, 1]}}]}],
        "events": [{"time": 0.2, "material": {"body": "bar", "seconds": 0.4, "young_modulus": 1e6, "damping": 0.1}}]})";
    auto parsed = parse_scene(scene);
    REQUIRE_MESSAGE(parsed, parsed.error().text());
    auto player = Player::create(std::move(*parsed), on_threads(1));
    REQUIRE(bool(player));
    // The same by hand, at the values that the next frame ends with.
    Simulation simulation = start(player->scene().description);
    SoftMaterial material = elastic(1e4f);
    material.poisson_ratio = 0.2f;
    for (int frame = 0; frame < 40; ++frame) {
        const double share = std::clamp((frame + 1 - 10) / 20.0, 0.0, 1.0);
        material.young_modulus = static_cast<float>(1e4 * std::pow(100, share));
        material.damping = static_cast<float>(0.1 * share);  // from 0: evenly
        succeed(simulation.set_material("bar", material));
        simulation.step();
        succeed(player->step());
        for (std::size_t i = 0; i < player->view().positions.size(); ++i)
            CHECK(distance(player->view().positions[i], simulation.view().positions[i]) < 1e-4f);
    }
    const std::uint64_t first = player->simulation().state_hash();
    succeed(player->reset());
    for (int frame = 0; frame < 40; ++frame) succeed(player->step());
    CHECK(player->simulation().state_hash() == first);
}

TEST_CASE("an event's preset keeps the density, and what stands beside it comes first") {
    const auto scene =
        parse_scene(R"({"bodies": [{"name": "b", "soft": {"box": {}, "density": 500}}], "events": [
        {"time": 0, "material": {"body": "b", "preset": "steel", "damping": 0.5}},
        {"time": 1, "material": {"body": "b", "poisson_ratio": 0.1}}]})");
    REQUIRE_MESSAGE(scene, scene.error().text());
    const auto& first = std::get<scene::ChangeMaterial>(scene->events[0].action);
    CHECK(first.young_modulus == soft_preset("steel")->young_modulus);
    CHECK(first.damping == 0.5f);
    const auto& second = std::get<scene::ChangeMaterial>(scene->events[1].action);
    CHECK(second.young_modulus == SoftMaterial().young_modulus);
    CHECK(second.poisson_ratio == 0.1f);
    CHECK(scene->events[0].original_material.density == 500);
    CHECK(contains(to_json(scene->file), R"({"body": "b", "preset": "steel", "damping": 0.5})"));
}

TEST_CASE("events of the wrong sort name the right one") {
    const auto event = [](const std::string& body, const std::string& action) {
        return error_of(R"({"bodies": [{"name": "b", )" + body + R"(}], "events": [{"time": 0, )" + action +
                        "}]}");
    };
    const std::string change = R"("material": {"body": "b", "damping": 1})";
    CHECK(contains(event(R"("soft": {"box": {}, "energy": "springs"})", change),
                   "/events/0/material/body: is of springs; the event \"elasticity\" changes them"));
    CHECK(contains(event(R"("rope": {"line": {}})", change),
                   "/events/0/material/body: is no soft body; the event \"elasticity\" changes it"));
    CHECK(contains(event(R"("soft": {"box": {}})", R"("elasticity": {"body": "b", "part": "edges"})"),
                   "it is not of springs, its energy is arap; the event \"material\" changes it"));
    CHECK(contains(event(R"("soft": {"box": {}})", R"("material": {"body": "b", "preset": "stel"})"),
                   "/events/0/material/preset: there is no preset \"stel\"; did you mean \"steel\"?"));
    CHECK(contains(event(R"("soft": {"box": {}})", R"("material": {"body": "b", "density": 1})"),
                   "/events/0/material/density: unknown key"));
}

TEST_CASE("presets are sound materials with a source, and the reference names them all") {
    std::set<std::string_view> names;
    const std::string summary = std::get<0>(FieldTable<scene::SoftMaterial>::fields).summary;
    for (const SoftPreset& preset : soft_presets()) {
        CAPTURE(std::string(preset.name));
        CHECK(names.insert(preset.name).second);
        CHECK(!check_fields("", preset.material));
        CHECK(preset.source.find_first_of("12") != std::string_view::npos);  // a year
        CHECK(contains(summary, preset.name));
        const auto found = soft_preset(preset.name);
        REQUIRE(found);
        CHECK(found->young_modulus == preset.material.young_modulus);
    }
    for (const char* name : {"jelly", "rubber", "gum", "tyre", "foam", "cork", "gelatine", "muscle", "steel"})
        CHECK(names.count(name) == 1);
    // As everybody knows them.
    const auto modulus = [](const char* name) { return soft_preset(name)->young_modulus; };
    CHECK(modulus("jelly") < modulus("muscle"));
    CHECK(modulus("gum") < modulus("rubber"));
    CHECK(modulus("rubber") < modulus("tyre"));
    CHECK(modulus("cork") < modulus("steel"));
    CHECK(soft_preset("cork")->density < 1000);  // floats
    const auto unknown = soft_preset("ruber");
    REQUIRE(!unknown);
    CHECK(unknown.error().text() == "preset: there is no preset \"ruber\"; did you mean \"rubber\"?");
}

TEST_CASE("a scene's body starts from a preset and says the rest itself") {
    const SoftMaterial rubber = *soft_preset("rubber");
    SoftMaterial found = material_of(R"("soft": {"box": {}, "preset": "rubber"})");
    CHECK(found.young_modulus == rubber.young_modulus);
    CHECK(found.density == rubber.density);
    CHECK(found.energy == Energy::arap);
    found = material_of(R"("soft": {"box": {}, "density": 3, "energy": "stvk", "preset": "rubber"})");
    CHECK(found.young_modulus == rubber.young_modulus);
    CHECK(found.density == 3);
    CHECK(found.energy == Energy::stvk);
    // By way of a material, which a body's own preset replaces.
    const std::string materials =
        R"(, "materials": [{"name": "m", "soft": {"preset": "cork", "damping": 0.5}}, {"name": "s", "soft": {"edges": {}}}])";
    found = material_of(R"("material": "m", "soft": {"box": {}})", materials);
    CHECK(found.young_modulus == soft_preset("cork")->young_modulus);
    CHECK(found.damping == 0.5f);
    found = material_of(R"("material": "m", "soft": {"box": {}, "preset": "rubber"})", materials);
    CHECK(found.damping == rubber.damping);
    found = material_of(R"("material": "s", "soft": {"box": {}, "preset": "rubber"})", materials);
    CHECK(found.energy == Energy::arap);
    CHECK(found.young_modulus == rubber.young_modulus);
}

TEST_CASE("bad presets are told at their line") {
    const auto soft = [](const std::string& keys) {
        return error_of(R"({"bodies": [{"soft": {"box": {}, )" + keys + "}}]}");
    };
    CHECK(contains(soft(R"("preset": "rubbr")"),
                   "/bodies/0/soft/preset: there is no preset \"rubbr\"; did you mean \"rubber\"?"));
    CHECK(contains(soft(R"("preset": 3)"), "/bodies/0/soft/preset: must be text in quotes"));
    CHECK(contains(soft(R"("preset": "rubber", "edges": {})"),
                   "/bodies/0/soft/preset: cannot be beside \"edges\", which is of springs"));
    CHECK(contains(soft(R"("preset": "rubber", "energy": "springs")"),
                   "/bodies/0/soft/preset: cannot be of springs"));
}

TEST_CASE("a body says how much its own weight compresses it: density · gravity · height / modulus") {
    SoftMaterial material = elastic(2e5f);
    material.density = 900;
    const Stiffness bar = start(hanging_bar(material)).stiffness().at(0);
    CHECK(relative_error(bar.own_weight, 900 * 9.81 * 1 / 2e5) < 1e-4);
    CHECK(relative_error(bar.height, 1) < 1e-6);
    Description floating = hanging_bar(material);
    floating.settings.gravity = {};
    CHECK(start(floating).stiffness().at(0).own_weight == 0);
}

// Bodies that are alike at the start share blocks of lanes. When one changes, it does as if all had changed,
// and the others as if none had: bit by bit.
TEST_CASE("bodies that share blocks keep their own materials") {
    const auto many_bars = [](const SoftMaterial& material, int iterations) {
        Description scene = hanging_bar(material);
        scene.settings.iterations = iterations;
        const Body bar = scene.bodies[0];
        for (int i = 1; i < 6; ++i) {
            scene.bodies.push_back(bar);
            scene.bodies.back().name = "bar" + std::to_string(i);
            scene.bodies.back().position.x += 3 * i;
        }
        return scene;
    };
    const auto positions = [](const Simulation& simulation, std::size_t body) {
        const BodyView& of = simulation.view().bodies[body];
        const auto own = simulation.view().positions.subspan(of.first_particle, of.particle_count);
        return std::vector<Vec3>(own.begin(), own.end());
    };
    for (const Energy energy : {Energy::arap, Energy::springs}) {
        for (const int iterations : {1, 2}) {
            for (const float damping : {0.0f, 0.01f}) {
                CAPTURE(int(energy));
                CAPTURE(iterations);
                CAPTURE(damping);
                const auto material_of_modulus = [&](float young_modulus, float retardation) {
                    SoftMaterial material;
                    material.energy = energy;
                    if (energy == Energy::springs) {
                        material.edges = compliant(1 / young_modulus, retardation);
                    } else {
                        material.young_modulus = young_modulus;
                        material.damping = retardation;
                    }
                    return material;
                };
                const SoftMaterial first = material_of_modulus(1e5f, damping),
                                   second = material_of_modulus(3e4f, 2 * damping);
                Simulation one = start(many_bars(first, iterations)),
                           none = start(many_bars(first, iterations)),
                           all = start(many_bars(first, iterations));
                for (Simulation* simulation : {&one, &none, &all}) run(*simulation, 5);
                succeed(one.set_material("bar2", second));
                for (const BodyView& body : all.view().bodies) succeed(all.set_material(body.name, second));
                for (Simulation* simulation : {&one, &none, &all}) run(*simulation, 5);
                for (std::size_t body = 0; body < 6; ++body)
                    CHECK(positions(one, body) == positions(body == 2 ? all : none, body));
                CHECK(positions(one, 2) != positions(none, 2));
            }
        }
    }
}
