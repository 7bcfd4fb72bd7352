#include <doctest/doctest.h>
#include <pliant/catalog.h>
#include <pliant/scene.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "base/json.h"
#include "support/full_scene.h"
#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

SceneSource from_sources() { return {"s.json", PLIANT_SOURCE_DIR, {}}; }

Scene parsed(std::string_view text, const SceneSource& source = from_sources()) {
    auto scene = parse_scene(text, source);
    if (!scene) FAIL(scene.error().text());
    return std::move(*scene);
}

std::string error_of(const std::string& text, std::vector<std::string> changes = {}) {
    SceneSource source = from_sources();
    source.changes = std::move(changes);
    const auto scene = parse_scene(text, source);
    return scene ? "" : scene.error().text();
}

// A scene with one body, and what else is wanted.
std::string with_body(const std::string& body, const std::string& rest = "") {
    return "{\"bodies\": [" + body + "]" + (rest.empty() ? "" : ", " + rest) + "}";
}
const std::string particle = R"({"particles": {"points": [[0, 0, 0]]}})";

}  // namespace

TEST_CASE("the full scene uses every key that the tables know") {
    const std::string text(full_scene);
    for (const TableInfo& table : catalog()) {
        const bool of_a_kind = table.name[0] >= 'a';  // constraint kinds are not in files
        for (const FieldInfo& field : table.fields) {
            CAPTURE(table.name);
            CAPTURE(field.name);
            if (!of_a_kind) CHECK(text.find("\"" + field.name + "\":") != std::string::npos);
        }
    }
}

TEST_CASE("a scene written and read back is the same, key by key") {
    const Scene scene = parsed(full_scene);
    const std::string written = to_json(scene.file);
    const Scene again = parsed(written);
    CHECK(to_json(again.file) == written);
    // What was written says what the original said: the same keys and values, but for defaults.
    const auto original = json::parse(full_scene, "original"), copy = json::parse(written, "copy");
    REQUIRE(original);
    REQUIRE(copy);
    CHECK(json::print(*copy) == json::print(*original));

    CHECK(scene.file.about == "Everything at once");
    CHECK(scene.file.solver.levels == Levels::off);
    CHECK(scene.file.solver.gravity == Vec3{0, -5, 0.5f});
    CHECK(scene.file.bodies.size() == 26);
    CHECK(scene.description.bodies.size() == 26);
    CHECK(scene.description.bodies[16].name == "body16");
    CHECK(scene.description.attachments.size() == 24);
    CHECK(scene.description.rings.size() == 1);
    CHECK(scene.description.riders.size() == 16);
    CHECK(scene.moving.size() == 18);
    CHECK(!scene.description.bodies[5].skin.triangles.empty());
    CHECK(scene.description.bodies[0].skin.triangles.empty());
}

TEST_CASE("what a scene does not say is as by default") {
    const Scene scene = parsed(with_body(particle));
    const Settings defaults;
    CHECK(scene.file.frames == 300);
    CHECK(scene.description.settings.substeps == defaults.substeps);
    CHECK(scene.description.settings.gravity == defaults.gravity);
    CHECK(scene.description.bodies[0].name == "body0");
    CHECK(to_json(scene.file) == "{\"bodies\": [{\"particles\": {\"points\": [[0, 0, 0]]}}]}\n");
}

TEST_CASE("a body starts from its material and says the rest itself") {
    const Scene scene = parsed(full_scene);
    const auto& box = std::get<SoftBody>(scene.description.bodies[0].shape);
    CHECK(box.material.density == 800);               // its own
    CHECK(box.material.edges.compliance == 2e-5f);    // the material's
    CHECK(box.material.edges.damping == 0.03f);       // its own
    CHECK(box.material.edges.stiffness == 0.9f);      // the material's
    CHECK(box.material.volumes.compliance == 1e-7f);  // the material's
    const auto& ball = std::get<SoftBody>(scene.description.bodies[1].shape);
    CHECK(ball.material.edges.compliance == SoftBody{}.material.edges.compliance);
}

TEST_CASE("an event changes only what it names") {
    const Scene scene = parsed(full_scene);
    for (const TimedEvent& event : scene.events) {
        if (const auto* change = std::get_if<scene::ChangeElasticity>(&event.action)) {
            CHECK(change->elasticity.compliance == 0.001f);
            CHECK(change->elasticity.damping == 0.03f);  // the body's
            CHECK(event.original.compliance == 2e-5f);
        }
        if (const auto* change = std::get_if<scene::ChangeSolver>(&event.action)) {
            CHECK(change->settings.gravity == Vec3{0, -1, 0});
            CHECK(change->settings.substeps == 4);  // the scene's
        }
    }
    for (std::size_t i = 1; i < scene.events.size(); ++i) {
        CHECK(scene.events[i].time >= scene.events[i - 1].time);
    }
}

TEST_CASE("particles are found by index, region, corner and nearest point") {
    const Scene scene = parsed(with_body(R"({
        "cloth": {"sheet": {"width": 2, "depth": 2, "columns": 2, "rows": 2}}, "position": [0, 1, 0],
        "pins": [{"corner": [1, 0, -1]}, {"nearest": [0.1, 5, 0]}, {"region": {"low": [-1.5, 0, 0.5], "high": [-0.5, 2, 2]}},
                 {"indices": [3]}]})"));
    CHECK(scene.description.bodies[0].pinned == std::vector<std::uint32_t>{2, 4, 6, 3});
}

TEST_CASE("bodies are scaled, then turned, then placed") {
    const Scene scene = parsed(with_body(
        R"({"particles": {"points": [[1, 0, 0]]}, "scale": [2, 1, 1], "rotation": [0, 0, 90], "position": [5, 0, 0]})"));
    const Body& body = scene.description.bodies[0];
    const Vec3 p = std::get<Particles>(body.shape).positions[0];
    CHECK(std::abs(p.x) < 1e-6f);
    CHECK(p.y == doctest::Approx(2));
    CHECK(body.position.x == 5);
}

TEST_CASE("misspelt keys are told, with their place and what was meant") {
    CHECK(error_of("{\n  \"bodies\": [],\n  \"solver\": {\"substepz\": 3}\n}") ==
          "s.json:3:14: /solver/substepz: unknown key; did you mean \"substeps\"?");
    CHECK(error_of("{\"body\": []}") == "s.json:1:2: /body: unknown key; did you mean \"bodies\"?");
    CHECK(error_of(with_body(R"({"soft": {"bal": {}}})")) ==
          "s.json:1:23: /bodies/0/soft/bal: unknown key; did you mean \"ball\"?");
    CHECK(error_of(with_body(R"({"rope": {"line": {"zzz": 1}}})")) ==
          "s.json:1:32: /bodies/0/rope/line/zzz: unknown key; there are from, to, links");
}

TEST_CASE("wrong types are told with what would be right") {
    const auto body = [](const std::string& field) {
        return error_of(with_body("{\"particles\": {\"points\": [[0, 0, 0]]}, " + field + "}"));
    };
    CHECK(error_of("[]") == "s.json:1:1: must be an object, got an empty list");
    CHECK(error_of("{\"bodies\": 3}") == "s.json:1:2: /bodies: must be a list, got 3");
    CHECK(error_of("{\"about\": 3, \"bodies\": []}") == "s.json:1:2: /about: must be text in quotes, got 3");
    CHECK(body("\"radius\": \"big\"") == "s.json:1:52: /bodies/0/radius: must be a number, got \"big\"");
    CHECK(body("\"position\": 3") == "s.json:1:52: /bodies/0/position: must be a list of 3 numbers, got 3");
    CHECK(body("\"position\": [1, 2]") == "s.json:1:52: /bodies/0/position: must have 3 numbers, got 2");
    CHECK(body("\"position\": [1, true, 3]") ==
          "s.json:1:68: /bodies/0/position/1: must be a number, got true");
    CHECK(body("\"rotation\": [1, 2]") ==
          "s.json:1:52: /bodies/0/rotation: must be a list of 3 angles in degrees or of the 4 numbers of a "
          "quaternion, got a list");
    CHECK(body("\"rotation\": [0, 0, 0, 0]") == "s.json:1:52: /bodies/0/rotation: must not have length 0");
    CHECK(error_of("{\"frames\": 2.5, \"bodies\": []}") ==
          "s.json:1:2: /frames: must be a whole number, got 2.5");
    CHECK(error_of("{\"solver\": {\"method\": \"implicit\"}, \"bodies\": []}") ==
          "s.json:1:13: /solver/method: must be \"xpbd\" or \"pbd\", got \"implicit\"");
}

TEST_CASE("numbers out of range are told") {
    const auto solver = [](const std::string& field) {
        return error_of("{\"solver\": {" + field + "}, \"bodies\": []}");
    };
    CHECK(solver("\"substeps\": 0") == "s.json:1:13: /solver/substeps: must be ≥ 1, got 0");
    CHECK(solver("\"substeps\": 1e9") == "s.json:1:13: /solver/substeps: must be at most 100000, got 1e+09");
    CHECK(solver("\"damping\": -1") == "s.json:1:13: /solver/damping: must be ≥ 0, got -1");
    CHECK(solver("\"gravity\": [0, 1e308, 0]") ==
          "s.json:1:28: /solver/gravity/1: must be at most 1e+06, got 1e+308");
    CHECK(solver("\"time_step\": NaN") == "s.json:1:26: expected a value, got NaN");
    CHECK(error_of(with_body(R"({"rope": {"line": {}, "linear_density": 1e-60}})")) ==
          "s.json:1:35: /bodies/0/rope/linear_density: must be > 0, got 0");
    CHECK(error_of("{\"frames\": 0, \"bodies\": []}") == "s.json:1:2: /frames: must be ≥ 1, got 0");
}

TEST_CASE("what is missing, empty or there twice is told") {
    CHECK(error_of("{}") == "s.json:1:1: needs \"bodies\"");
    CHECK(error_of("{\"bodies\": []}") ==
          "s.json:1:2: /bodies: must not be empty: there is nothing to simulate");
    CHECK(error_of(with_body("{}")) ==
          "s.json:1:13: /bodies/0: needs \"soft\", \"cloth\", \"rope\", \"particles\" or \"hair\"");
    CHECK(error_of(with_body(R"({"rope": {"line": {}}, "cloth": {"sheet": {}}})")) ==
          "s.json:1:14: /bodies/0/rope: cannot be beside \"cloth\"");
    CHECK(error_of(with_body(particle, R"("events": [{"time": 1}])")).find("/events/0: needs \"squash\", ") !=
          std::string::npos);
    CHECK(error_of("{\"about\": \"a\", \"about\": \"b\"}") == "s.json:1:16: \"about\" is here twice");
    CHECK(
        error_of(with_body(R"({"name": "a", "rope": {"line": {}}}, {"name": "a", "rope": {"line": {}}})")) ==
        "s.json:1:51: /bodies/1/name: must be unique, got \"a\" again");
}

TEST_CASE("names that there are not are told, with the nearest") {
    const std::string body = R"({"name": "jelly", "rope": {"line": {}}})";
    const auto event = [&](const std::string& action) {
        return error_of(with_body(body, "\"events\": [{\"time\": 1, " + action + "}]"));
    };
    CHECK(event(R"("squash": {"body": "jely"})") ==
          "s.json:1:89: /events/0/squash/body: there is no body \"jely\"; did you mean \"jelly\"?");
    CHECK(event(R"("elasticity": {"body": "jelly", "part": "strech"})") ==
          "s.json:1:110: /events/0/elasticity/part: the body has no part \"strech\"; did you mean "
          "\"stretch\"?");
    CHECK(event(R"("drag": {"hand": "h", "to": [0, 0, 0]})") ==
          "s.json:1:87: /events/0/drag/hand: \"h\" holds nothing at that time");
    CHECK(error_of(with_body(R"({"material": "gum", "rope": {"line": {}}})")) ==
          "s.json:1:14: /bodies/0/material: there is no material \"gum\"; there are none");
    CHECK(error_of(with_body(R"({"material": "gum", "rope": {"line": {}}})",
                             R"("materials": [{"name": "gum"}])")) ==
          "s.json:1:14: /bodies/0/material: \"gum\" says nothing of \"rope\"");
    CHECK(
        error_of(with_body(body, R"("attachments": [{"body": "jelly", "indices": [99], "to_place": {}}])")) ==
        "s.json:1:101: /attachments/0/indices/0: must be an index below 21, got 99");
    CHECK(error_of(with_body(body, R"("expect": [{"state_hash": "xyz"}])")) ==
          "s.json:1:67: /expect/0/state_hash: must be 16 hexadecimal digits (0-9, a-f), got \"xyz\"");
}

TEST_CASE("missing and broken mesh files are told") {
    const std::string error = error_of(with_body(R"({"soft": {"file": "no_such.obj"}})"));
    CHECK(error.find("s.json:1:23: /bodies/0/soft/file: ") == 0);
    CHECK(error.find("no_such.obj") != std::string::npos);
    CHECK(error_of(with_body(R"({"cloth": {"file": "README.md"}})"))
              .find("s.json:1:24: /bodies/0/cloth/file: ") == 0);
}

TEST_CASE("a scene that would be too large is told before it is made") {
    const std::string large =
        " would have 68719476736 cells and points of strands, at most 1000000 are allowed";
    CHECK(error_of(with_body(R"({"soft": {"box": {"cells": [4096, 4096, 4096]}}})")) ==
          "s.json:1:23: /bodies/0/soft/box: too large: the scene" + large);
    CHECK(error_of(with_body(R"({"soft": {"box": {"cells": [1e9, 1, 1]}}})")) ==
          "s.json:1:41: /bodies/0/soft/box/cells/0: must be at most 4096, got 1e+09");
    CHECK(error_of(with_body(R"({"rope": {"line": {"links": 1000000}}}, {"rope": {"line": {"links": 1}}})"))
              .find("/bodies/1/rope/line: too large") != std::string::npos);
}

TEST_CASE("shapes that cannot be are told at the line of their body") {
    CHECK(error_of(with_body(R"({"soft": {"torus": {"major_radius": 0.1, "minor_radius": 0.2}}})")) ==
          "s.json:1:54: /bodies/0/soft/torus/minor_radius: must be below the major_radius, 0.1, got 0.2");
    CHECK(error_of("{\n\"bodies\": [\n{\"rope\": {\"points\": [[0, 0, 0]]}}]}") ==
          "s.json:3:11: /bodies/0/rope/points: needs at least 2 points, got 1");
    CHECK(error_of(with_body(particle, R"("colliders": [{"plane": {"normal": [0, 0, 0]}}])"))
              .find("/colliders/0/shape/normal: must not have length 0") != std::string::npos);
    CHECK(
        error_of(with_body(particle, R"("colliders": [{"plane": {}, "motion": [{"time": 2}, {"time": 1}]}])"))
            .find("/colliders/0/motion/1/time: must be above 2, that of the keyframe before, got 1") !=
        std::string::npos);
}

TEST_CASE("values can be set by path, and errors say so") {
    const std::string text = with_body(particle);
    SceneSource source = from_sources();
    source.changes = {"solver/substeps=20", "solver/method=pbd", "bodies/0/position=[1, 2, 3]", "frames=5"};
    const Scene scene = parsed(text, source);
    CHECK(scene.file.solver.substeps == 20);
    CHECK(scene.file.solver.method == Method::pbd);
    CHECK(scene.file.bodies[0].placement.position == Vec3d{1, 2, 3});
    CHECK(scene.file.frames == 5);
    CHECK(error_of(text, {"solver/substepz=3"}) ==
          "s.json with its changes: /solver/substepz: unknown key; did you mean \"substeps\"?");
    CHECK(error_of(text, {"bodies/0/radius=-1"}) ==
          "s.json with its changes: /bodies/0/radius: must be ≥ 0, got -1");
    CHECK(error_of(text, {"bodies/3/radius=1"}) ==
          "change bodies/3/radius=1: \"3\" must be an index below 1");
    CHECK(error_of(text, {"frames"}) ==
          "change frames: must be a path and a value, such as solver/substeps=20");
    CHECK(error_of(text, {"a//b=1"}) == "change a//b=1: a name is missing in the path");
}

TEST_CASE("files that cannot be read are told") {
    const auto missing = load_scene("/no/such/scene.json");
    REQUIRE(!missing);
    CHECK(missing.error().text() == "/no/such/scene.json: cannot be read: No such file or directory");
    const auto directory = load_scene(PLIANT_SOURCE_DIR);
    REQUIRE(!directory);
    CHECK(directory.error().message == "is a directory, not a scene file");
}

TEST_CASE("the schema is JSON whose references all lead somewhere, and names every key") {
    const auto schema = json::parse(scene_schema(), "schema");
    REQUIRE_MESSAGE(schema, schema.error().text());
    const json::Value* definitions = schema->find("$defs");
    REQUIRE(definitions);
    const std::string text = scene_schema();
    for (std::size_t at = 0; (at = text.find("#/$defs/", at)) != std::string::npos;) {
        at += 8;
        CHECK(definitions->find(text.substr(at, text.find('"', at) - at)));
    }
    for (const TableInfo& table : catalog()) {
        for (const FieldInfo& field : table.fields) {
            CAPTURE(field.name);
            if (table.name[0] < 'a') CHECK(text.find("\"" + field.name + "\":") != std::string::npos);
        }
    }
}
