#include <doctest/doctest.h>
#include <pliant/scene.h>

#include <algorithm>
#include <string>

#include "scenes/scenes.h"
#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

void check_scene(const std::string& name) {
    CAPTURE(name);
    auto scene = load_scene(*scenes::find(name));
    REQUIRE_MESSAGE(scene, scene.error().text());
    const int frames = scene->file.frames;
    auto player = Player::create(std::move(*scene), on_threads(1));
    REQUIRE_MESSAGE(player, player.error().text());
    ExpectationChecker checker(*player);
    for (int i = 0; i < frames; ++i) {
        succeed(player->step());
        checker.after_frame(*player);
    }
    for (const std::string& failure : checker.verdict(*player)) FAIL_CHECK(failure);
}

}  // namespace

TEST_CASE("every scene of the gallery says what it shows and what it expects") {
    const auto names = scenes::names();
    CHECK(names.size() >= 12);
    for (const std::string& name : names) {
        CAPTURE(name);
        const auto file = load_scene_file(*scenes::find(name));
        REQUIRE_MESSAGE(file, file.error().text());
        CHECK(file->about.size() > 20);
        CHECK(file->about.size() < 100);
        CHECK(!file->expect.empty());
        const auto scene = load_scene(*scenes::find(name));
        REQUIRE_MESSAGE(scene, scene.error().text());
        CHECK(scene->warnings.empty());
    }
}

TEST_CASE("small scenes of the gallery do what they expect") {
    for (const char* name : {"rope", "pendulum", "bead_on_wire", "chain", "jelly", "cube_spins", "cube_drag",
                             "cube_reflection", "budget", "heavy_weights"})
        check_scene(name);
}

TEST_CASE("longer run: every scene of the gallery does what it expects" * doctest::skip()) {
    for (const std::string& name : scenes::names()) check_scene(name);
}

TEST_CASE("a body that is laid out anew does not show up below the floor") {
    auto scene = load_scene(*scenes::find("cube_1_iteration"));
    REQUIRE(bool(scene));
    auto player = Player::create(std::move(*scene));
    REQUIRE(bool(player));
    float lowest = 1;
    for (int frame = 0; frame < 300; ++frame) {
        REQUIRE(bool(player->step()));
        for (const Vec3& p : player->view().positions) lowest = std::min(lowest, p.y);
    }
    CHECK(lowest > -1e-5f);
}
