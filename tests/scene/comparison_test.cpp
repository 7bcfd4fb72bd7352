#include <doctest/doctest.h>
#include <pliant/scene.h>

#include <string>
#include <vector>

#include "scenes/scenes.h"
#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

double mean_height(const Player& player) {
    double sum = 0;
    for (const Vec3& p : player.view().positions) sum += static_cast<double>(p.y);
    return sum / static_cast<double>(player.view().positions.size());
}

}  // namespace

TEST_CASE("a comparison takes every value of one list with every value of the other") {
    const auto none = compare({});
    REQUIRE(none);
    REQUIRE(none->runs.size() == 1);
    CHECK(none->runs[0].changes.empty());

    const auto row = compare(std::vector<std::string>{"solver/gravity=[0,-1,0],[0,-9.81,0]"});
    REQUIRE(row);
    CHECK(row->rows == 1);
    CHECK(row->columns == 2);
    CHECK(row->runs[1].changes == std::vector<std::string>{"solver/gravity=[0,-9.81,0]"});
    CHECK(row->runs[1].label == "gravity [0,-9.81,0]");

    // An object changes several values at once.
    const auto pairs = compare(std::vector<std::string>{
        R"(solver={"substeps":4,"iterations":1},{"method":"pbd","substeps":1,"iterations":4})"});
    REQUIRE(pairs);
    REQUIRE(pairs->runs.size() == 2);
    CHECK(pairs->runs[0].changes == std::vector<std::string>{R"(solver={"substeps":4,"iterations":1})"});
    CHECK(pairs->runs[0].label == "substeps 4, iterations 1");
    CHECK(pairs->runs[1].label == "method pbd, substeps 1, iterations 4");
    // What all have in common tells none from the others.
    const auto alike = compare(
        std::vector<std::string>{R"(solver={"levels":"off","substeps":4},{"levels":"off","substeps":1})"});
    REQUIRE(alike);
    CHECK(alike->runs[0].label == "substeps 4");

    const auto grid = compare(std::vector<std::string>{"solver/method=pbd,xpbd", "solver/iterations=1,5,20"});
    REQUIRE(grid);
    CHECK(grid->rows == 2);
    CHECK(grid->columns == 3);
    REQUIRE(grid->runs.size() == 6);
    CHECK(grid->runs[4].changes == std::vector<std::string>{"solver/method=xpbd", "solver/iterations=5"});
    CHECK(grid->runs[4].label == "method xpbd, iterations 5");
}

TEST_CASE("a comparison that cannot be made is an error with its place") {
    using Lists = std::vector<std::string>;
    for (const auto& [lists, place] :
         {std::pair{Lists{"solver/iterations"}, "/compare/0"},
          std::pair{Lists{"frames=1", "=3"}, "/compare/1"}, std::pair{Lists{"frames=,"}, "/compare/0"},
          std::pair{Lists{"a=1,2", "b=1,2", "c=1,2"}, "/compare"},
          std::pair{Lists{"a=1,2,3,4,5", "b=1,2,3,4"}, "/compare"}}) {
        const auto made = compare(lists);
        REQUIRE(!made);
        CHECK(made.error().path == place);
    }
}

TEST_CASE("in the comparisons of the gallery XPBD sags alike, and PBD the less the more is computed") {
    for (const char* name : {"iterations", "substeps"}) {
        CAPTURE(name);
        const auto file = *scenes::find(name);
        const auto comparison = compare(load_scene_file(file)->compare);
        REQUIRE(comparison);
        std::vector<double> sags;
        for (const Comparison::Run& run : comparison->runs) {
            auto scene = load_scene(file, run.changes);
            REQUIRE_MESSAGE(scene, scene.error().text());
            const int frames = scene->file.frames;
            auto player = Player::create(std::move(*scene), on_threads(1));
            REQUIRE(player);
            const double start = mean_height(*player);
            for (int i = 0; i < frames; ++i) succeed(player->step());
            sags.push_back(start - mean_height(*player));
        }
        REQUIRE(sags.size() == 6);
        CHECK(sags[0] > 2.5 * sags[1]);
        CHECK(sags[1] > 1.2 * sags[2]);
        CHECK(sags[5] > 0.3);
        CHECK(sags[4] == doctest::Approx(sags[5]).epsilon(0.02));
        CHECK(sags[3] == doctest::Approx(sags[5]).epsilon(0.12));
    }
}
