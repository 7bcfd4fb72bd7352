// Hair at default settings: bending against the beam, lengths, curls, and strands that do not know each
// other.
#include <doctest/doctest.h>
#include <pliant/scene.h>
#include <pliant/shapes.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <set>

#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

// Strands of 20 cm along x, clamped by their first two points.
Description tuft(int strands, std::uint32_t points, float bending, float linear_density = 1e-4f) {
    Hair hair;
    hair.points = points;
    hair.material.bending = bending;
    hair.material.linear_density = linear_density;
    for (int i = 0; i < strands; ++i) {
        const float z = 0.01f * static_cast<float>(i);
        const auto strand = *make_line({0, 0, z}, {0.2f, 0, z}, static_cast<int>(points) - 1);
        hair.positions.insert(hair.positions.end(), strand.begin(), strand.end());
    }
    std::vector<std::uint32_t> roots;
    for (std::uint32_t i = 0; i < std::uint32_t(strands); ++i)
        roots.insert(roots.end(), {i * points, i * points + 1});
    return scene_of(body_of(std::move(hair), {}, std::move(roots)));
}

double worst_stretch(const View& view, std::size_t points, double rest) {
    double worst = 0;
    for (std::size_t i = 1; i < view.positions.size(); ++i) {
        if (i % points == 0) continue;
        worst = std::max(worst, std::abs(distance(view.positions[i], view.positions[i - 1]) / rest - 1));
    }
    return worst;
}

Result<Scene> scene_with(const std::string& hair) {
    return parse_scene(R"({"bodies": [{"name": "h", "hair": )" + hair + R"(, "pins": [{"roots": {}}]}]})",
                       {.name = "hair", .directory = PLIANT_SOURCE_DIR, .changes = {}});
}

}  // namespace

TEST_CASE("stiff hair of 6 to 61 points sags like a beam") {
    for (const std::uint32_t points : {6u, 11u, 21u, 61u}) {
        CAPTURE(points);
        const double bending = 1e-5;
        Description scene = tuft(20, points, float(bending));
        scene.settings.drag = 0.2f;
        Simulation simulation = start(scene);
        run(simulation, 200);
        // Clamped in the middle of its first segment.
        const double beam =
            1e-4 * 9.81 * std::pow(0.2, 4) * std::pow(1 - 0.5 / (points - 1), 4) / (8 * bending);
        for (std::uint32_t strand = 0; strand < 20; ++strand) {
            const double sag = -double(simulation.view().positions[(strand + 1) * points - 1].y);
            // It sags by a tenth of its length: the formula is for less.
            CHECK(relative_error(sag, beam) < 0.02);
        }
    }
}

TEST_CASE("hair that falls and swings keeps its length, limp or stiff") {
    for (const float bending : {0.0f, 1e-7f, 1e-6f, 1e-4f}) {
        CAPTURE(bending);
        Simulation simulation = start(tuft(20, 21, bending));
        const double before = simulation.diagnostics().total_energy;
        double worst = 0, highest = -1;
        for (int frame = 0; frame < 240; ++frame) {
            simulation.step();
            worst = std::max(worst, worst_stretch(simulation.view(), 21, 0.01));
            highest = std::max(highest, simulation.diagnostics().total_energy - before);
        }
        CHECK(worst < 0.02);
        CHECK(highest < 1e-3 * 20 * 0.2 * 1e-4 * 9.81 * 0.2);
    }
}

TEST_CASE("strands do not know each other: one alone moves as among many") {
    Simulation many = start(tuft(37, 21, 1e-7f)), one = start(tuft(1, 21, 1e-7f));
    run(many, 60);
    run(one, 60);
    for (std::size_t i = 0; i < 21; ++i) {
        CHECK(distance(many.view().positions[i], one.view().positions[i]) < 1e-5);
    }
}

TEST_CASE("curls without weight keep their shape, heavy ones hang longer") {
    const auto lowest = [](const std::string& bending, Vec3 gravity, double* moved) {
        auto scene = scene_with(R"({"disc": {"radius": 0.02}, "strands": 9, "points": 41, "length": 0.2,
            "curl": {"radius": 0.008, "pitch": 0.02}, "bending": )" +
                                bending + "}");
        REQUIRE_MESSAGE(scene, scene.error().text());
        Description description = scene->description;
        description.settings.gravity = gravity;
        description.settings.drag = 0.05f;
        Simulation simulation = start(description);
        run(simulation, 120);
        const auto& rest = std::get<Hair>(description.bodies[0].shape).positions;
        double height = -1e9;
        *moved = 0;
        for (std::size_t i = 0; i < rest.size(); ++i) {
            *moved = std::max(*moved, distance(simulation.view().positions[i], rest[i]));
            height = std::max(height, double(simulation.view().positions[i].y));
        }
        return height;
    };
    double moved = 0;
    const double rest = lowest("1e-5", {}, &moved);
    CHECK(moved < 1e-6);
    // They grow upward; gravity points the same way here.
    const double loaded = lowest("1e-7", {0, 9.81f, 0}, &moved);
    CHECK(loaded > 1.05 * rest);
    CHECK(loaded < 0.2);
}

TEST_CASE("roots lie on the scalp, and the seed says where") {
    const auto positions = [](const std::string& seed) {
        const auto scene =
            scene_with(R"({"file": "assets/bunny.obj", "strands": 50, "points": 4, "seed": )" + seed + "}");
        REQUIRE_MESSAGE(scene, scene.error().text());
        return std::get<Hair>(scene->description.bodies[0].shape).positions;
    };
    const auto first = positions("1"), again = positions("1"), other = positions("2");
    CHECK(first.size() == 200);
    CHECK(std::equal(first.begin(), first.end(), again.begin()));
    CHECK(!(first[0] == other[0]));
    const auto ball =
        scene_with(R"({"sphere": {"radius": 0.5, "coverage": 0.5}, "strands": 100, "points": 3})");
    REQUIRE(bool(ball));
    const auto& points = std::get<Hair>(ball->description.bodies[0].shape).positions;
    for (std::size_t i = 0; i < points.size(); i += 3) {
        CHECK(std::abs(length(points[i]) - 0.5) < 1e-6);
        CHECK(points[i].y >= 0);
    }
}

TEST_CASE("bad hair is an error that says what would be right") {
    const auto error = [](const std::string& hair) {
        const auto scene = scene_with(hair);
        return scene ? std::string() : scene.error().text();
    };
    CHECK(error(R"({"disc": {}})").empty());
    CHECK(error(R"({"disc": {}, "points": 1})").find("points") != std::string::npos);
    CHECK(error(R"({"disc": {}, "strands": 0})").find("strands") != std::string::npos);
    CHECK(error(R"({"disc": {}, "strands": 1000000, "points": 20})") != "");
    CHECK(error(R"({"file": "no_such_file.obj"})").find("no_such_file") != std::string::npos);
    CHECK(error(R"({"disc": {}, "bending": -1})").find("bending") != std::string::npos);
    CHECK(error(R"({"disc": {}, "curl": {"radius": 0.001, "pitch": 0.001}})").find("points") !=
          std::string::npos);
    Description one = tuft(1, 21, 0);
    std::get<Hair>(one.bodies[0].shape).points = 1;
    CHECK(!Simulation::create(one));
    Description same = tuft(1, 21, 0);
    auto& points = std::get<Hair>(same.bodies[0].shape).positions;
    points[5] = points[4];
    CHECK(!Simulation::create(same));
    Description odd = tuft(1, 21, 0);
    std::get<Hair>(odd.bodies[0].shape).positions.pop_back();
    CHECK(!Simulation::create(odd));
}

TEST_CASE("hair that goes through all substeps at once has the bits of hair that goes step by step") {
    // Who may interrupt a frame asks after every substep: then subdomains wait for each other.
    Description scene = tuft(200, 12, 1e-7f);
    Collider ground;
    ground.shape = Plane{{0, -0.1, 0}, {0, 1, 0}};
    scene.colliders = {ground};
    scene.settings.drag = 0.01f;
    std::atomic<bool> interrupted{false};
    Execution step_by_step = on_threads(1);
    step_by_step.interrupt = &interrupted;
    for (const int iterations : {1, 2}) {
        scene.settings.iterations = iterations;
        Simulation apart = start(scene, on_threads(2)), together = start(scene, step_by_step);
        run(apart, 60);
        run(together, 60);
        CHECK(apart.state_hash() == together.state_hash());
    }
}

TEST_CASE("a free strand keeps its momentum") {
    Description scene = tuft(1, 21, 1e-6f);
    scene.bodies[0].pinned.clear();
    scene.settings.gravity = {};
    Simulation simulation = start(scene);
    for (std::uint32_t i = 0; i < 21; ++i)
        succeed(simulation.set_velocity(i, {1, i % 3 == 0 ? 1.0f : 0.0f, i % 21 > 10 ? 0.5f : -0.5f}));
    const Vec3d before = simulation.diagnostics().momentum;
    double worst = 0;
    for (int frame = 0; frame < 120; ++frame) {
        simulation.step();
        worst = std::max(worst, length(simulation.diagnostics().momentum - before) / length(before));
    }
    CHECK(worst < 1e-6);
}

TEST_CASE("strands that attachments pull apart stay finite, and say so") {
    for (const int kind : {0, 1, 2}) {  // limp, a rod, hair
        CAPTURE(kind);
        Description scene = tuft(1, 21, 1e-6f);
        if (kind < 2) {
            Rope rope;
            rope.positions = *make_line({0, 0, 0}, {0.2f, 0, 0}, 20);
            rope.material.bending = kind == 1 ? 0.01f : 0.0f;
            scene = scene_of(body_of(std::move(rope)));
        }
        scene.bodies[0].pinned.clear();
        scene.attachments = {{{0, 0}, Vec3d{-1, 0, 0}, {}}, {{0, 20}, Vec3d{1, 0.5, 0}, {}}};
        Simulation simulation = start(scene);
        for (int frame = 0; frame < 120; ++frame) {
            simulation.step();
            REQUIRE(all_finite(simulation.view()));
            for (const Vec3& p : simulation.view().positions) REQUIRE(length(p) < 20);
        }
        CHECK(simulation.diagnostics().worst_constraint_error > 1);
    }
}
