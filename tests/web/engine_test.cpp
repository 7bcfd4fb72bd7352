// The boundary of the page: answers are JSON, buffers fit the layout.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "engine/engine.h"

using namespace pliant;
using web::Engine;

namespace {

const char* const scene_text = R"({
  "about": "three kinds", "bodies": [
    {"name": "box", "soft": {"box": {"cells": [3, 3, 3]}}, "position": [0, 1, 0]},
    {"name": "cloth", "cloth": {"sheet": {"columns": 4, "rows": 4}}, "position": [2, 1, 0]},
    {"name": "rope", "rope": {"line": {"links": 6}}, "position": [0, 3, 0]},
    {"name": "dust", "particles": {"points": [[0, 4, 0], [1, 4, 0]]}}],
  "colliders": [{"plane": {}}, {"sphere": {"center": [2, 0.5, 0], "radius": 0.2}}]})";

Engine loaded() {
    Engine engine(PLIANT_SOURCE_DIR "/scenes");
    const json::Value said = engine.load("s.json", scene_text, "[]");
    REQUIRE(said.find("layout"));
    return engine;
}

std::string error_of(const json::Value& said) {
    const json::Value* error = said.find("error");
    return error ? error->find("text")->text : "";
}

double number(const json::Value& object, const char* key) { return object.find(key)->number; }

}  // namespace

TEST_CASE("the buffers of every frame fit the layout, and follow the scene") {
    Engine engine = loaded();
    const web::Drawing& drawing = *engine.drawing();
    const auto& items = drawing.layout().find("items")->items;
    REQUIRE(items.size() == 4);
    double vertices = 0, indices = 0;
    for (const json::Value& item : items) {
        CHECK(number(item, "first_vertex") == vertices);
        vertices += number(item, "count");
        if (item.find("kind")->text != "surface") continue;
        CHECK(number(item, "first_index") == indices);
        for (double i = indices; i < indices + number(item, "index_count"); ++i)
            CHECK(drawing.indices()[std::size_t(i)] < number(item, "count"));
        indices += number(item, "index_count");
    }
    CHECK(drawing.indices().size() == indices);
    CHECK(drawing.layout().find("colliders")->items.size() == 1);  // the plane is the ground
    const std::vector<float> before = drawing.positions();
    for (int i = 0; i < 20; ++i) {
        CHECK(error_of(engine.step(1)) == "");
        CHECK(drawing.positions().size() == 3 * vertices);
        CHECK(drawing.normals().size() == 3 * vertices);
        CHECK(drawing.poses().size() == 8);
        for (const float x : drawing.positions()) CHECK(std::isfinite(x));
    }
    CHECK(drawing.positions() != before);
    CHECK(error_of(engine.reset()) == "");
    CHECK(drawing.positions() == before);
}

TEST_CASE("showing it otherwise leaves the run as it is") {
    Engine engine = loaded(), plain = loaded();
    engine.step(10);
    CHECK(error_of(engine.show(R"({"tetrahedra": true, "quantity": "strain"})")) == "");
    CHECK(engine.drawing()->colors().size() == engine.drawing()->positions().size());
    CHECK(number(engine.readings(), "frame") == 10);
    engine.step(10);
    plain.step(20);
    CHECK(engine.readings().find("hash")->text == plain.readings().find("hash")->text);
}

TEST_CASE("a ray grabs, drags and throws") {
    Engine engine = loaded();
    const json::Value held = engine.grab({0, 1, 5}, {0, 0, -4.5f});
    REQUIRE(held.find("particle"));
    const auto particle = static_cast<std::uint32_t>(number(held, "particle"));
    CHECK(held.find("point")->items[2].number == doctest::Approx(0.5));
    for (int i = 1; i <= 20; ++i) {
        CHECK(error_of(engine.drag(particle, {0, 1 + 0.1 * i, 0.5})) == "");
        engine.step(1);
    }
    CHECK(error_of(engine.release(particle)) == "");
    CHECK(number(engine.readings(), "kinetic_energy") > 0);
    CHECK(error_of(engine.release(particle)).find("is not grabbed") != std::string::npos);
    const json::Value nearest = engine.grab({2, 1.3, 5}, {0, 0, -5});  // above the cloth
    CHECK(nearest.find("point")->items[0].number == doctest::Approx(2).epsilon(0.01));
    CHECK(error_of(engine.grab({0, 0, 0}, {0, 0, 0})) == "");
}

TEST_CASE("the runs that a scene compares are changes to it") {
    Engine engine(PLIANT_SOURCE_DIR "/scenes");
    const json::Value said = engine.load(
        "s.json", R"({"bodies": [{"rope": {"line": {}}}], "compare": ["solver/substeps=2,5"]})", "[]");
    const auto& runs = said.find("runs")->items;
    REQUIRE(runs.size() == 2);
    CHECK(runs[1].find("label")->text == "substeps 5");
    CHECK(runs[1].find("changes")->items[0].text == "solver/substeps=5");
}

TEST_CASE("errors are answers, and what was loaded goes on") {
    Engine engine(PLIANT_SOURCE_DIR "/scenes");
    CHECK(error_of(engine.step(1)) == "no scene is loaded");
    CHECK(error_of(engine.load("s.json", "{\n  \"bodeis\": []\n}", "[]")) ==
          "s.json:2:3: /bodeis: unknown key; did you mean \"bodies\"?");
    engine = loaded();
    CHECK(error_of(engine.load("s.json", "{", "[]")).find("s.json:1:") == 0);
    CHECK(error_of(engine.step(1)) == "");
    CHECK(error_of(engine.set("/solver/substeps", "-1")) == "/solver/substeps: must be ≥ 1, got -1");
    CHECK(engine.set("/solver/substeps", "4").find("effect")->text == "at once");
    CHECK(engine.set("/bodies/0/soft/density", "4").find("effect")->text == "after restart");
    CHECK(error_of(engine.perform(R"({"squash": {"body": "x"}})")) != "");
}

TEST_CASE("the file of a running scene has what was set, and loads again to the same state") {
    Engine engine = loaded();
    engine.set("/solver/substeps", "6");
    engine.set("/bodies/0/soft/young_modulus", "30000");
    const std::string text = engine.file().find("text")->text;
    Engine again(PLIANT_SOURCE_DIR "/scenes"), changed(PLIANT_SOURCE_DIR "/scenes");
    REQUIRE(error_of(again.load("s.json", text, "[]")) == "");
    REQUIRE(error_of(changed.load("s.json", scene_text,
                                  R"(["solver/substeps=6", "bodies/0/soft/young_modulus=30000"])")) == "");
    for (Engine* one : {&engine, &again, &changed}) one->step(30);
    const std::string hash = engine.readings().find("hash")->text;
    CHECK(again.readings().find("hash")->text == hash);
    CHECK(changed.readings().find("hash")->text == hash);
    CHECK(engine.surface().find("text")->text.find("\nf 1 ") != std::string::npos);
}

TEST_CASE("every quantity colours what is drawn, and an unknown one nothing") {
    Engine engine = loaded();
    engine.step(60);
    const json::Value first = engine.show("{}");
    CHECK(engine.drawing()->colors().empty());
    CHECK(first.find("quantities")->items.size() == 6);
    for (const json::Value& quantity : first.find("quantities")->items) {
        CAPTURE(quantity.text);
        CHECK(error_of(engine.show(R"({"quantity": ")" + quantity.text + "\"}")) == "");
        const std::vector<float>& colors = engine.drawing()->colors();
        REQUIRE(colors.size() == engine.drawing()->positions().size());
        for (const float c : colors) CHECK((c >= 0 && c <= 1));
        engine.step(1);
        CHECK(engine.drawing()->colors().size() == engine.drawing()->positions().size());
    }
    CHECK(error_of(engine.show(R"({"quantity": "none"})")) == "");
    CHECK(engine.drawing()->colors().empty());
}

TEST_CASE("points of a body are told, and of none that is not there") {
    Engine engine = loaded();
    const json::Value said = engine.points(2, 1);
    CHECK(said.find("points")->items.size() == 3 * 7);
    CHECK(engine.points(2, 2).find("points")->items.size() == 3 * 4);
    CHECK(error_of(engine.points(4, 1)) == "body must be 0 … 3 and stride at least 1, got 4 and 1");
    CHECK(error_of(engine.points(0, 0)) != "");
}

TEST_CASE("a scene is checked against what it expects, from its start to its end") {
    Engine engine(PLIANT_SOURCE_DIR "/scenes");
    const auto failed = [&](const char* expect) {
        const std::string text =
            std::string(R"({"frames": 20, "bodies": [{"name": "rope", "rope": {"line": {}}}],
                                                 "expect": [)") +
            expect + "]}";
        REQUIRE(error_of(engine.load("s.json", text, "[]")) == "");
        engine.step(3);
        return engine.check(0).find("failed")->items.size();
    };
    CHECK(failed(R"({"height": {"body": "rope", "low": -2, "high": 0}})") == 0);
    CHECK(failed(R"({"height": {"body": "rope", "low": 1, "high": 2}})") == 1);
    CHECK(number(engine.readings(), "frame") == 20);
    for (const int frames : {3, 30}) {
        const std::string hash = engine.check(frames).find("hash")->text;
        engine.reset();
        engine.step(frames);
        CHECK(hash == engine.readings().find("hash")->text);
    }
}

TEST_CASE("the largest stretch is that of the edge that is stretched most") {
    Engine engine(PLIANT_SOURCE_DIR "/scenes");
    REQUIRE(error_of(engine.load("s.json", R"({"solver": {"gravity": [0, 0, 0]}, "bodies": [
        {"particles": {"points": [[0, 0, 0], [1, 0, 0], [1, 1, 0]], "link": {"compliance": 1e6},
                       "links": [{"a": 0, "b": 1}, {"a": 1, "b": 2}]}}]})",
                                 "[]")) == "");
    CHECK(number(engine.readings(), "stretch") == 0);
    const auto held = static_cast<std::uint32_t>(number(engine.grab({0, 0, 5}, {0, 0, -5}), "particle"));
    engine.drag(held, {-0.5, 0, 0});
    engine.step(1);
    CHECK(number(engine.readings(), "stretch") == doctest::Approx(0.5).epsilon(0.01));
}

TEST_CASE("filling a mesh tells how far it is") {
    double last = -1;
    int calls = 0;
    Engine engine(PLIANT_SOURCE_DIR "/scenes", {.threads = 1}, [&](double share, std::string_view stage) {
        CHECK(share >= last);
        CHECK(!stage.empty());
        last = share;
        ++calls;
        return true;
    });
    REQUIRE(error_of(engine.load("s.json", R"({"bodies": [{"soft": {"file": "../assets/bunny.obj"}}]})",
                                 "[]")) == "");
    CHECK(calls > 3);
    CHECK(last <= 1);
}
