// Player::parameters, set and perform: what sliders and buttons do to a running scene.
#include <doctest/doctest.h>
#include <pliant/scene.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/full_scene.h"
#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

constexpr const char* block = R"({
  "bodies": [{"name": "jelly", "soft": {"box": {"size": [0.4, 0.4, 0.4], "cells": [4, 4, 4]}},
              "position": [0, 0.5, 0]}],
  "colliders": [{"plane": {}}]})";

Player player_of(const std::string& text, std::vector<std::string> changes = {}) {
    auto scene = parse_scene(text, {"s.json", PLIANT_SOURCE_DIR, std::move(changes)});
    if (!scene) FAIL(scene.error().text());
    auto player = Player::create(std::move(*scene), on_threads(1));
    if (!player) FAIL(player.error().text());
    return std::move(*player);
}

void play(Player& player, int frames) {
    for (int i = 0; i < frames; ++i) succeed(player.step());
}

std::uint64_t hash_after(Player& player, int frames) {
    play(player, frames);
    return player.simulation().state_hash();
}

const Parameter* find(const std::vector<Parameter>& all, std::string_view path) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& p) { return p.path == path; });
    return found == all.end() ? nullptr : &*found;
}

void set(Player& player, const char* path, const char* value, Effect expected = Effect::at_once) {
    CAPTURE(std::string(path));
    const Result<Effect> effect = player.set(path, value);
    REQUIRE_MESSAGE(bool(effect), effect.error().text());
    CHECK(*effect == expected);
}

}  // namespace

TEST_CASE("parameters have paths, values and numeric ranges, and only those that mean something") {
    Player player = player_of(block);
    const std::vector<Parameter> all = player.parameters();
    const Parameter* young = find(all, "/bodies/0/soft/young_modulus");
    REQUIRE(young);
    CHECK(!find(all, "/bodies/0/soft/tetrahedralize/resolution"));  // a box is not filled
    CHECK(young->value == "100000");
    REQUIRE(young->field.numbers);
    CHECK(young->field.numbers->low == 1e-6);
    CHECK(young->field.unit == "Pa");
    const Parameter* method = find(all, "/solver/method");
    REQUIRE(method);
    CHECK(method->field.choices == std::vector<std::string>{"xpbd", "pbd"});
    REQUIRE(find(all, "/solver/gravity"));
    CHECK(find(all, "/solver/gravity")->value == "[0, -9.81, 0]");
    CHECK(find(all, "/colliders/0/friction"));
    CHECK(find(all, "/bodies/0/soft/box/cells"));
    CHECK_FALSE(find(all, "/bodies/0/soft/edges/compliance"));  // it is not of springs
}

TEST_CASE("a rope's stiffness and the modulus of its section stand in for each other") {
    const auto listed = [](const char* material, const char* field) {
        const std::string text =
            std::string(R"({"bodies": [{"rope": {"points": [[0, 0, 0], [0.5, 0, 0], [1, 0, 0]], )") +
            material + "}}]}";
        return find(player_of(text).parameters(), std::string("/bodies/0/rope/") + field) != nullptr;
    };
    for (const char* field : {"young_modulus", "shear_modulus", "radius"}) {
        CAPTURE(std::string(field));
        CHECK_FALSE(listed(R"("bending": 0.1)", field));
        CHECK(listed(R"("young_modulus": 1e7, "radius": 0.005)", field));
    }
    for (const char* field : {"bending", "twisting"}) {
        CAPTURE(std::string(field));
        CHECK(listed(R"("bending": 0.1)", field));
        CHECK_FALSE(listed(R"("young_modulus": 1e7, "radius": 0.005)", field));
    }
    CHECK(listed(R"("bending": 0)", "bending"));  // limp so far
}

TEST_CASE("every parameter can be set to the value that it has, which changes no bit") {
    Player player = player_of(std::string(full_scene)), untouched = player_of(std::string(full_scene));
    play(player, 5);
    play(untouched, 5);
    const std::vector<Parameter> all = player.parameters();
    CHECK(all.size() > 40);
    for (const Parameter& parameter : all) {
        CAPTURE(parameter.path);
        const auto effect = player.set(parameter.path, parameter.value);
        REQUIRE_MESSAGE(bool(effect), effect.error().text());
        CHECK(*effect == Effect::at_once);
    }
    CHECK(hash_after(player, 10) == hash_after(untouched, 10));
}

TEST_CASE("a parameter set at the start acts as the same value in the file") {
    struct Change {
        const char *path, *value;
    };
    for (const Change& change :
         {Change{"/solver/substeps", "7"}, Change{"/solver/gravity", "[1, -3, 0]"},
          Change{"/bodies/0/soft/young_modulus", "2e4"}, Change{"/bodies/0/soft/poisson_ratio", "0.1"},
          Change{"/bodies/0/soft/damping", "0.02"}, Change{"/colliders/0/friction", "0"},
          Change{"/colliders/0/restitution", "0.9"}}) {
        CAPTURE(std::string(change.path));
        Player set_later = player_of(block), plain = player_of(block);
        Player in_file = player_of(block, {std::string(change.path) + "=" + change.value});
        set(set_later, change.path, change.value);
        const std::uint64_t hash = hash_after(set_later, 40);
        CHECK(hash == hash_after(in_file, 40));
        CHECK(hash != hash_after(plain, 40));
        succeed(set_later.reset());  // what was set stays
        CHECK(hash_after(set_later, 40) == hash);
        REQUIRE(find(set_later.parameters(), change.path));
        CHECK(find(set_later.parameters(), change.path)->value ==
              find(in_file.parameters(), change.path)->value);
    }
}

TEST_CASE("parts of cloth, rope and attachments are set while running") {
    const std::string text = R"({"bodies": [
        {"name": "cloth", "cloth": {"sheet": {"columns": 6, "rows": 6}}, "pins": [{"indices": [0]}]},
        {"name": "rope", "rope": {"line": {"links": 8}, "bending": 0.1}, "pins": [{"indices": [0]}]}],
        "attachments": [{"body": "cloth", "indices": [6, 40], "to_place": {}}]})";
    for (const char* path : {"/bodies/0/cloth/stretch/compliance", "/bodies/0/cloth/bending/damping",
                             "/bodies/1/rope/stretch/compliance", "/bodies/1/rope/curl",
                             "/attachments/0/elasticity/compliance"}) {
        CAPTURE(std::string(path));
        Player player = player_of(text), in_file = player_of(text, {std::string(path) + "=0.01"});
        set(player, path, "0.01");
        CHECK(hash_after(player, 30) == hash_after(in_file, 30));
    }
}

TEST_CASE("what needs other shapes or masses waits for a restart, and changes nothing until then") {
    Player player = player_of(block), untouched = player_of(block);
    set(player, "bodies/0/soft/density", "500", Effect::after_restart);
    set(player, "/bodies/0/soft/box/cells", "[3, 3, 3]", Effect::after_restart);
    set(player, "/bodies/0/position", "[0, 1, 0]", Effect::after_restart);
    CHECK(to_json(player.scene().file) == to_json(untouched.scene().file));
    CHECK(hash_after(player, 20) == hash_after(untouched, 20));
}

TEST_CASE("bad values and paths are Errors with the path, the value and the range") {
    Player player = player_of(block);
    const auto text_of = [&](const char* path, const char* value) {
        const auto effect = player.set(path, value);
        return effect ? std::string("no error") : effect.error().text();
    };
    CHECK(text_of("/solver/substeps", "0") == "/solver/substeps: must be ≥ 1, got 0");
    CHECK(text_of("/solver/substeps", "2.5") == "/solver/substeps: must be a whole number, got 2.5");
    CHECK(text_of("/solver/substeps", "\"x\"") == "/solver/substeps: must be a whole number, got \"x\"");
    CHECK(text_of("/solver/substep", "3").find("did you mean \"/solver/substeps\"?") != std::string::npos);
    CHECK(text_of("/solver/gravity", "[0, 1]").find("/solver/gravity") == 0);
    CHECK(text_of("/solver/substeps", "{").find("value:1:") == 0);
    CHECK(text_of("", "1").find("there is no such value") != std::string::npos);
    // Elements cannot be run by PBD: the file stays as it was.
    CHECK(text_of("/solver/method", "\"pbd\"").find("pbd") != std::string::npos);
    CHECK(player.simulation().settings().method == Method::xpbd);
    CHECK(hash_after(player, 5) == [] {
        Player other = player_of(block);
        return hash_after(other, 5);
    }());
}

TEST_CASE("an event is performed now, and is an Error where a scene file's would be") {
    Player player = player_of(block);
    play(player, 10);
    succeed(player.perform(R"({"squash": {"body": "jelly", "height": 0.01}})"));
    for (const Vec3& p : player.view().positions) CHECK(p.y == doctest::Approx(0.01));
    play(player, 90);
    CHECK(player.diagnostics().volume / player.diagnostics().rest_volume == doctest::Approx(1).epsilon(0.05));

    succeed(player.perform(R"({"grab": {"hand": "h", "point": [0, 1, 0]}})"));
    succeed(player.perform(R"({"drag": {"hand": "h", "to": [0, 2, 0], "seconds": 0.5}})"));
    play(player, 60);
    float highest = 0;
    for (const Vec3& p : player.view().positions) highest = std::max(highest, p.y);
    CHECK(highest == doctest::Approx(2).epsilon(0.01));
    succeed(player.perform(R"({"release": {"hand": "h"}})"));

    const auto text_of = [&](const char* event) {
        const Status status = player.perform(event);
        return status ? std::string("no error") : status.error().text();
    };
    CHECK(text_of(R"({"squash": {"body": "jely"}})").find("did you mean \"jelly\"?") != std::string::npos);
    CHECK(text_of(R"({"drag": {"hand": "h", "to": [0, 0, 0]}})").find("holds nothing") != std::string::npos);
    CHECK(text_of(R"({"time": 3, "squash": {"body": "jelly"}})") == "/time: cannot be given: it happens now");
    CHECK(text_of(R"({"squish": {}})").find("squash") != std::string::npos);
    CHECK(text_of("[1]").find("must be an object") != std::string::npos);
    CHECK(text_of("{").find("event:1:") == 0);
}

TEST_CASE("the catalog has numeric ranges and choices") {
    for (const TableInfo& table : catalog()) {
        if (table.name != "Settings") continue;
        for (const FieldInfo& field : table.fields) {
            if (field.name == "substeps") {
                REQUIRE(field.numbers);
                CHECK(field.numbers->low == 1);
                CHECK(field.numbers->high == 100000);
            }
            if (field.name == "keep_momentum") CHECK(field.choices.size() == 2);
            if (field.name == "gravity") CHECK(field.numbers);
        }
        return;
    }
    FAIL("no table of settings");
}
