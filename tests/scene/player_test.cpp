#include <doctest/doctest.h>
#include <pliant/scene.h>

#include <cmath>
#include <string>
#include <vector>

#include "scene/blend.h"
#include "scene/motion.h"
#include "support/full_scene.h"
#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

Player player_of(const std::string& text) {
    auto scene = parse_scene(text, {"s.json", PLIANT_SOURCE_DIR, {}});
    if (!scene) FAIL(scene.error().text());
    auto player = Player::create(std::move(*scene), on_threads(1));
    if (!player) FAIL(player.error().text());
    return std::move(*player);
}

void play(Player& player, int frames) {
    for (int i = 0; i < frames; ++i) succeed(player.step());
}

// One particle at (0, 1, 0) without gravity, with a frame of a tenth of a second.
std::string floating(const std::string& rest) {
    return R"({"solver": {"time_step": 0.1, "gravity": [0, 0, 0]}, "bodies": [{"name": "p",
        "particles": {"points": [[0, 0, 0]]}, "position": [0, 1, 0]}], )" +
           rest + "}";
}

}  // namespace

TEST_CASE("without events a player steps as the simulation does") {
    const std::string text = R"({"bodies": [{"soft": {"box": {"cells": [3, 3, 3]}}, "position": [0, 1, 0]}],
        "colliders": [{"plane": {}}]})";
    Player player = player_of(text);
    Simulation simulation = start(player.scene().description);
    play(player, 30);
    run(simulation, 30);
    CHECK(player.simulation().state_hash() == simulation.state_hash());
    CHECK(player.view().frame == 30);
}

TEST_CASE("a player repeats its run bit by bit, also after a reset in the midst of events") {
    Player player = player_of(std::string(full_scene));
    play(player, 25);
    const std::uint64_t first = player.simulation().state_hash();
    succeed(player.reset());
    CHECK(player.view().frame == 0);
    play(player, 13);
    succeed(player.reset());
    play(player, 25);
    CHECK(player.simulation().state_hash() == first);
    CHECK(all_finite(player.view()));
}

TEST_CASE("translations happen at the frame that begins nearest to their time") {
    Player player =
        player_of(floating(R"("events": [{"time": 0.5, "translate": {"body": "p", "offset": [2, 0, 0]}},
        {"time": 0.94, "translate": {"body": "p", "offset": [0, 0, 1]}}])"));
    play(player, 5);
    CHECK(player.view().positions[0].x == 0);
    play(player, 1);
    CHECK(player.view().positions[0].x == doctest::Approx(2));
    play(player, 3);
    CHECK(player.view().positions[0].z == 0);
    play(player, 1);
    CHECK(player.view().positions[0].z == doctest::Approx(1));
}

TEST_CASE("a squashed body is held flat for its time and then moves again") {
    Player player = player_of(R"({"solver": {"time_step": 0.1},
        "bodies": [{"name": "p", "particles": {"points": [[0, 0, 0], [0, 1, 0]]}, "position": [0, 5, 0]}],
        "events": [{"time": 0.1, "squash": {"body": "p", "height": 3, "seconds": 0.3}}]})");
    play(player, 1);
    for (int i = 0; i < 3; ++i) {
        play(player, 1);
        CHECK(player.view().positions[0].y == doctest::Approx(3));
        CHECK(player.view().positions[1].y == doctest::Approx(3));
    }
    play(player, 1);
    CHECK(player.view().positions[0].y < 2.99f);
}

TEST_CASE("a hand grabs, drags evenly and lets fly") {
    Player player = player_of(floating(R"("events": [
        {"time": 0, "grab": {"hand": "h", "point": [0, 0, 0]}},
        {"time": 0.2, "drag": {"hand": "h", "to": [1, 1, 0], "seconds": 0.5}},
        {"time": 0.6, "release": {"hand": "h"}}])"));
    play(player, 2);
    CHECK(player.view().positions[0] == Vec3{0, 1, 0});
    play(player, 1);
    CHECK(player.view().positions[0].x == doctest::Approx(0.2));
    play(player, 3);
    CHECK(player.view().positions[0].x == doctest::Approx(0.8));
    play(player, 10);  // at 2 m/s
    CHECK(player.view().positions[0].x == doctest::Approx(2.8).epsilon(1e-4));
}

TEST_CASE("pins hold and let go") {
    Player player = player_of(R"({"solver": {"time_step": 0.1},
        "bodies": [{"name": "p", "particles": {"points": [[0, 0, 0]]}, "pins": [{"indices": [0]}]}],
        "events": [{"time": 0.3, "unpin": {"body": "p", "indices": [0]}},
                   {"time": 0.6, "pin": {"body": "p", "nearest": [0, 0, 0]}}]})");
    play(player, 3);
    CHECK(player.view().positions[0].y == 0);
    play(player, 3);
    const float fallen = player.view().positions[0].y;
    CHECK(fallen < -0.3f);
    play(player, 3);
    CHECK(player.view().positions[0].y == fallen);
}

TEST_CASE("settings change at once or little by little, and reset brings them back") {
    Player player = player_of(floating(R"("events": [
        {"time": 0.2, "solver": {"gravity": [0, -10, 0], "damping": 0.5, "seconds": 1}},
        {"time": 1.5, "solver": {"substeps": 3}}])"));
    play(player, 2);
    CHECK(player.simulation().settings().gravity.y == 0);
    play(player, 5);
    CHECK(player.simulation().settings().gravity.y == doctest::Approx(-5));
    CHECK(player.simulation().settings().damping == doctest::Approx(0.25));
    play(player, 6);
    CHECK(player.simulation().settings().gravity.y == -10);
    play(player, 5);
    CHECK(player.simulation().settings().substeps == 3);
    CHECK(player.simulation().settings().gravity.y == 0);  // what is not said is as in the scene
    succeed(player.reset());
    CHECK(player.simulation().settings().substeps == 10);
}

TEST_CASE("numbers above zero change by equal factors") {
    CHECK(power(16, 0.5) == 4);
    CHECK(power(10000, 0.25) == doctest::Approx(10));
    CHECK(power(7, 0.3) == doctest::Approx(std::pow(7, 0.3)).epsilon(1e-10));
    CHECK(power(1e-7, 0.9) == doctest::Approx(std::pow(1e-7, 0.9)).epsilon(1e-9));
    CHECK(power(5, 0) == 1);
    Elasticity soft = compliant(1e-4f), stiff = compliant(1e-8f, 2);
    CHECK(blend(soft, stiff, 0.5).compliance == doctest::Approx(1e-6));
    CHECK(blend(soft, stiff, 0.5).damping == 1);  // from 0: evenly
    CHECK(blend(soft, stiff, 1).compliance == 1e-8f);
    CHECK(blend(soft, stiff, 0).compliance == 1e-4f);
}

TEST_CASE("keyframes move evenly, hold at the end, and turn the shorter way") {
    std::vector<scene::Keyframe> motion(2);
    motion[0].time = 1;
    motion[0].offset = {1, 0, 0};
    motion[1].time = 3;
    motion[1].offset = {1, 4, 0};
    motion[1].rotation = rotation_of_degrees({0, 90, 0});
    CHECK(pose_at(motion, 0).offset == Vec3d{});
    CHECK(pose_at(motion, 0.5).offset == Vec3d{0.5, 0, 0});
    CHECK(pose_at(motion, 1).offset == Vec3d{1, 0, 0});
    CHECK(pose_at(motion, 2).offset == Vec3d{1, 2, 0});
    CHECK(pose_at(motion, 9).offset == Vec3d{1, 4, 0});
    const Vec3d halfway = rotate(pose_at(motion, 2).rotation, {0, 0, 1});
    CHECK(length(halfway - Vec3d{std::sqrt(0.5), 0, std::sqrt(0.5)}) < 1e-6);
    motion[1].rotation = rotation_of_degrees({0, 370, 0});  // the other sign of 10 degrees
    const Vec3d short_way = rotate(pose_at(motion, 2).rotation, {0, 0, 1});
    CHECK(short_way.z > 0.99);
    CHECK(pose_at({}, 5).offset == Vec3d{});
}

TEST_CASE("colliders and the points of attachments follow their keyframes") {
    Player player = player_of(R"({"solver": {"time_step": 0.1, "gravity": [0, 0, 0]},
        "bodies": [{"name": "p", "particles": {"points": [[0, 0, 0]]}, "position": [0, 1, 0]}],
        "attachments": [{"body": "p", "indices": [0], "to_place": {}, "motion": [{"time": 1, "offset": [1, 0, 0]}]}],
        "colliders": [{"plane": {}, "motion": [{"time": 1, "offset": [-5, 0, 0], "rotation": [0, 0, -90]}]}]})");
    play(player, 5);
    CHECK(player.view().positions[0].x == doctest::Approx(0.5).epsilon(1e-4));
    play(player, 5);
    CHECK(player.view().positions[0].x == doctest::Approx(1).epsilon(1e-4));
    const Plane& plane = std::get<Plane>(player.simulation().colliders()[0].shape);
    CHECK(plane.point.x == doctest::Approx(-5));
    CHECK(plane.normal.x == doctest::Approx(1));
}

TEST_CASE("the points of an attachment turn about their middle") {
    Player player = player_of(R"({"solver": {"time_step": 0.1, "gravity": [0, 0, 0]},
        "bodies": [{"name": "p", "particles": {"points": [[0, 0, 0], [2, 0, 0]]}, "position": [0, 1, 0]}],
        "attachments": [{"body": "p", "indices": [0, 1], "to_place": {},
                         "motion": [{"time": 1, "offset": [0, 0, 3], "rotation": [0, 0, 90]}]}]})");
    play(player, 5);  // an eighth of a turn
    CHECK(player.view().positions[1].y == doctest::Approx(1 + std::sqrt(0.5)).epsilon(1e-4));
    CHECK(player.view().positions[1].z == doctest::Approx(1.5).epsilon(1e-4));
    play(player, 5);
    CHECK(distance(player.view().positions[0], {1, 0, 3}) < 1e-4);
    CHECK(distance(player.view().positions[1], {1, 2, 3}) < 1e-4);
}

TEST_CASE("an expectation checker names what did not hold, with its number and frame") {
    Player player = player_of(
        floating(R"("frames": 3, "events": [{"time": 0.1, "translate": {"body": "p", "offset": [0, 1, 0]}},
        {"time": 0.2, "translate": {"body": "p", "offset": [0, -1, 0]}}],
        "expect": [
          {"height": {"body": "p", "low": 0.9, "high": 1.1}},
          {"height": {"body": "p", "low": 0.9, "high": 1.1}, "when": "always"},
          {"speed": 1},
          {"center": {"body": "p", "near": [3, 1, 4], "within": 4}},
          {"volume_ratio": {"low": 0.99, "high": 1.01}},
          {"state_hash": "0000000000000000"}])"));
    ExpectationChecker checker(player);
    for (int i = 0; i < 3; ++i) {
        succeed(player.step());
        checker.after_frame(player);
    }
    const auto failures = checker.verdict(player);
    REQUIRE(failures.size() == 3);
    CHECK(failures[0] == "/expect/1: height is 2 m, must be within 0.9 … 1.1 after frame 2");
    CHECK(failures[1] == "/expect/3: center is at (0, 1, 0), 5 m off, must be within 4 m after frame 3");
    CHECK(failures[2].find("/expect/5: state_hash is ") == 0);
}

TEST_CASE("an expectation of spin sees how fast a body turns, wherever it flies") {
    Player player = player_of(R"({"solver": {"gravity": [0, 0, 0]}, "frames": 1,
        "bodies": [{"name": "square", "velocity": [3, 0, 0], "position": [5, 1, 0],
          "particles": {"points": [[1, 0, 0], [0, 0, 1], [-1, 0, 0], [0, 0, -1]]}}],
        "expect": [
          {"spin": {"body": "square", "low": 1.999, "high": 2.001}},
          {"spin": {"body": "square", "low": 3}},
          {"spin": {"body": "square", "high": 1.5}, "when": "always"}]})");
    // 2 rad/s about y.
    const Vec3 turns[] = {{3, 0, -2}, {5, 0, 0}, {3, 0, 2}, {1, 0, 0}};
    for (std::uint32_t i = 0; i < 4; ++i) succeed(player.simulation().set_velocity(i, turns[i]));
    ExpectationChecker checker(player);
    checker.after_frame(player);
    const auto failures = checker.verdict(player);
    REQUIRE(failures.size() == 2);
    CHECK(failures[0] == "/expect/1: spin is 2 rad/s, must be within 3 … 1e+09 after frame 0");
    CHECK(failures[1] == "/expect/2: spin is 2 rad/s, must be within 0 … 1.5 after frame 0");
    const auto unknown = parse_scene(
        R"({"bodies": [{"name": "a", "particles": {"points": [[0, 0, 0]]}}], "expect": [{"spin": {"body": "b"}}]})");
    REQUIRE(!unknown);
    CHECK(unknown.error().text().find("/expect/0/spin") != std::string::npos);
}

TEST_CASE("an event that fails while running is named") {
    Player player =
        player_of(R"({"bodies": [{"particles": {"points": [[0, 0, 0]]}, "pins": [{"indices": [0]}]}],
        "events": [{"time": 0, "grab": {"hand": "h", "point": [0, 0, 0]}}]})");
    const Status status = player.step();
    REQUIRE(!status);
    CHECK(status.error().text() == "s.json: /events/0: point: finds nothing to grab: every particle is held");
}

TEST_CASE("an event can change every part that a body has") {
    const char* const bodies[][2] = {
        {R"("soft": {"ball": {"layers": 2}, "energy": "springs"})", "edges,volumes"},
        {R"("cloth": {"sheet": {}})", "stretch,bending,seam"},
        {R"("rope": {"line": {}})", "stretch"},
        {R"("particles": {"line": {}})", "link"}};
    for (const auto& [body, parts] : bodies) {
        std::string names = parts;
        while (!names.empty()) {
            const std::string part = names.substr(0, names.find(','));
            names.erase(0, part.size() + 1);
            CAPTURE(part);
            Player player = player_of(std::string(R"({"bodies": [{"name": "b", )") + body +
                                      R"(}], "events": [{"time": 0, "elasticity": {"body": "b", "part": ")" +
                                      part + R"(", "compliance": 0.001}}]})");
            play(player, 2);
        }
    }
}
