// Where strands end: held at a length, clamped, on the surface of a body; ribbons; strands in the wind.
#include <doctest/doctest.h>
#include <pliant/scene.h>
#include <pliant/shapes.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

constexpr double gravity = 9.81, pi = std::numbers::pi;

Result<Scene> scene_from(const std::string& text) {
    return parse_scene(text, {.name = "strands", .directory = PLIANT_SOURCE_DIR, .changes = {}});
}
std::string error_of(const std::string& text) {
    const auto scene = scene_from(text);
    return scene ? std::string() : scene.error().text();
}

RopeMaterial ribbon(float bending, float edge_bending, Vec3 side) {
    RopeMaterial material;
    material.bending = bending;
    material.edge_bending = edge_bending;
    material.side = side;
    return material;
}

// Of a rod of 1 m along x, clamped by its first two particles.
double sag_of(const RopeMaterial& material, int segments = 20) {
    Rope rope;
    rope.positions = *make_line({0, 0, 0}, {1, 0, 0}, segments);
    rope.material = material;
    Settings settings;
    settings.drag = 0.2f;
    Simulation simulation = start(scene_of(body_of(std::move(rope), {}, {0, 1}), settings));
    run(simulation, 200);
    return -double(simulation.view().positions.back().y);
}

double beam(double bending, double linear_density = 0.1, double segments = 20) {
    const double free = segments - 1;
    return linear_density * gravity * std::pow(free * (free + 1), 2) / std::pow(segments, 4) / (8 * bending);
}

}  // namespace

TEST_CASE("a ribbon bends over its flat side or along its width, as it lies") {
    CHECK(relative_error(sag_of(ribbon(3, 300, {0, 0, 1})), beam(3)) < 0.01);
    CHECK(relative_error(sag_of(ribbon(3, 300, {})), beam(3)) < 0.01);  // level, if nothing is said
    CHECK(relative_error(sag_of(ribbon(3, 300, {0, 1, 0})), beam(300)) < 0.01);
    CHECK(relative_error(sag_of(ribbon(3, 300, {5, 2, 0})), beam(300)) < 0.01);  // what is across counts
    // A bar of steel, 30 mm × 3 mm.
    RopeMaterial steel;
    steel.young_modulus = 2.1e11f;
    steel.width = 0.03f;
    steel.thickness = 0.003f;
    steel.linear_density = 0.702f;
    const double easy = 2.1e11 * 0.03 * 2.7e-8 / 12;
    CHECK(relative_error(sag_of(steel), beam(easy, 0.702)) < 0.01);
    steel.side = {0, 1, 0};
    CHECK(relative_error(sag_of(steel), beam(easy * 100, 0.702)) < 0.01);
}

TEST_CASE("bad ribbons are errors that name the field") {
    const auto text = [](const RopeMaterial& material) {
        Rope rope;
        rope.positions = *make_line({0, 0, 0}, {1, 0, 0}, 4);
        rope.material = material;
        const auto made = Simulation::create(scene_of(body_of(std::move(rope))));
        return made ? std::string() : made.error().text();
    };
    CHECK(text(ribbon(3, 300, {})).empty());
    CHECK(text(ribbon(0, 300, {})).find("/edge_bending") != std::string::npos);
    CHECK(text(ribbon(3, 1, {})).find("/edge_bending") != std::string::npos);
    RopeMaterial flat;
    flat.width = 0.02f;
    CHECK(text(flat).find("/young_modulus") != std::string::npos);
    flat.young_modulus = 1e9f;
    CHECK(text(flat).find("/thickness") != std::string::npos);
    flat.thickness = 0.03f;
    CHECK(text(flat).find("/thickness") != std::string::npos);
    flat.thickness = 0.001f;
    CHECK(text(flat).empty());
    flat.radius = 0.01f;
    CHECK(text(flat).find("/radius") != std::string::npos);
}

TEST_CASE("an attachment of a length is a pendulum's rod") {
    Description scene = scene_of(lone_particle({0.05, 1 - std::sqrt(0.64 - 0.0025), 0}));
    Attachment rod{.particle = {0, 0}, .target = Vec3d{0, 1, 0}};
    rod.rest_length = 0.8f;
    scene.attachments = {rod};
    Simulation simulation = start(scene);
    double first = 0, last = 0, worst = 0;
    int crossings = 0;
    for (int frame = 0; frame < 600; ++frame) {
        const double before = simulation.view().positions[0].x;
        simulation.step();
        const double after = simulation.view().positions[0].x;
        worst = std::max(worst, std::abs(distance(simulation.view().positions[0], {0, 1, 0}) - 0.8));
        if (!(before < 0 && after >= 0)) continue;
        last = (frame + before / (before - after)) / 60;
        if (crossings++ == 0) first = last;
    }
    REQUIRE(crossings > 3);
    CHECK(worst < 1e-4);
    CHECK(relative_error((crossings - 1) / (last - first), std::sqrt(gravity / 0.8) / (2 * pi)) < 0.01);
}

TEST_CASE("a rope on an attachment of a length stays a strand") {
    // 1 kg on a rope of 100 g: the links of the rope keep their lengths.
    Rope rope;
    rope.positions = *make_line({0, -0.2f, 0}, {0, -1.2f, 0}, 40);
    Description scene = scene_of(body_of(std::move(rope)));
    Body weight = lone_particle({0, -1.2, 0});
    scene.bodies.push_back(weight);
    Attachment top{.particle = {0, 0}, .target = Vec3d{0, 0, 0}};
    top.rest_length = 0.2f;
    scene.attachments = {top, {{0, 40}, ParticleReference{1, 0}, {}}};
    Simulation simulation = start(scene);
    double worst = 0;
    for (int frame = 0; frame < 120; ++frame) {
        simulation.step();
        for (std::size_t i = 0; i < 40; ++i) {
            const auto& x = simulation.view().positions;
            worst = std::max(worst, std::abs(distance(x[i], x[i + 1]) * 40 - 1));
        }
    }
    CHECK(worst < 0.001);
}

TEST_CASE("a clamped end holds its direction, and turns with the motion of its place") {
    const auto tip_with = [](const std::string& held, int frames) {
        const auto scene = scene_from(
            R"({"solver": {"drag": 0.2}, "bodies": [{"name": "rod", "rope": {"line": {"links": 20}, "bending": 3}}],
                "attachments": [{"body": "rod", "indices": [0], )" +
            held + "}]}");
        REQUIRE(scene);
        auto made = Player::create(*scene);
        REQUIRE(made);
        Player& player = *made;
        for (int i = 0; i < frames; ++i) succeed(player.step());
        return player.simulation().view().positions.back();
    };
    const Vec3 held = tip_with(R"("to_place": {}, "clamp": true)", 200);
    CHECK(relative_error(-double(held.y), beam(3)) < 0.01);
    const Vec3 point = tip_with(R"("to_point": [0, 0.5, 0], "clamp": true)", 200);
    CHECK(relative_error(0.5 - double(point.y), beam(3)) < 0.01);
    // By a quarter turn about z: it points up, and stands.
    const Vec3 turned = tip_with(
        R"("to_place": {}, "clamp": true, "motion": [{"time": 0}, {"time": 1, "rotation": [0, 0, 90]}])",
        300);
    CHECK(double(turned.y) > 0.9);
    CHECK(double(tip_with(R"("to_place": {})", 200).y) < -0.8);  // without, it hangs
}

TEST_CASE("bad ends of strands are errors that say where") {
    const auto attached = [](const std::string& rest) {
        return error_of(
            R"({"bodies": [{"name": "rod", "rope": {"line": {"links": 20}, "bending": 3}},
                {"name": "box", "soft": {"box": {}}}], "attachments": [)" +
            rest + "]}");
    };
    CHECK(attached(R"({"body": "rod", "indices": [0], "to_place": {}, "clamp": true})").empty());
    CHECK(attached(R"({"body": "rod", "indices": [3], "to_place": {}, "clamp": true})").find("clamp") !=
          std::string::npos);
    CHECK(attached(R"({"body": "box", "indices": [0], "to_place": {}, "clamp": true})").find("clamp") !=
          std::string::npos);
    CHECK(attached(R"({"body": "rod", "indices": [0], "to_place": {}, "rest_length": -1})")
              .find("rest_length") != std::string::npos);
    const auto hair = [](const std::string& on) {
        return error_of(
            R"({"bodies": [{"name": "rope", "rope": {"line": {}}}, {"name": "sheet", "cloth": {"sheet": {}}},
            {"name": "h", "hair": {"on": ")" +
            on + R"(", "strands": 10, "points": 5}}]})");
    };
    CHECK(hair("sheet").empty());
    CHECK(hair("rope").find("no surface") != std::string::npos);
    CHECK(hair("shet").find("no body") != std::string::npos);
}

TEST_CASE("hair on a body follows its surface") {
    // Held by one particle, it falls and swings.
    for (const char* const body : {R"("soft": {"ball": {"layers": 4}})", R"("cloth": {"sheet": {}})"}) {
        CAPTURE(body);
        const auto scene = scene_from(std::string(R"({"bodies": [{"name": "b", )") + body +
                                      R"(, "position": [0, 1, 0], "pins": [{"indices": [0]}]},
            {"name": "h", "hair": {"on": "b", "strands": 50, "points": 8, "length": 0.2}}]})");
        REQUIRE_MESSAGE(scene, scene.error().text());
        auto made = Player::create(*scene);
        REQUIRE(made);
        Player& player = *made;
        const auto& riders = scene->description.riders;
        REQUIRE(riders.size() == 100);
        const auto gap_of = [&](const Rider& rider) {
            const View& view = player.simulation().view();
            const auto at = [&](std::uint32_t b, std::uint32_t p) {
                return to_double(view.positions[view.bodies[b].first_particle + p]);
            };
            const Vec3d o = at(rider.body, rider.triangle[0]), e = at(rider.body, rider.triangle[1]) - o,
                        f = at(rider.body, rider.triangle[2]) - o, n = cross(e, f),
                        d = at(rider.particle.body, rider.particle.particle) - o;
            return dot(d, n) / std::sqrt(dot(n, n));
        };
        std::vector<double> before;
        for (const Rider& rider : riders) before.push_back(gap_of(rider));
        double worst = 0, longest = 0;
        for (int frame = 0; frame < 90; ++frame) {
            succeed(player.step());
            for (std::size_t i = 0; i < riders.size(); ++i)
                worst = std::max(worst, std::abs(gap_of(riders[i]) - before[i]));
            const View& view = player.simulation().view();
            const std::size_t first = view.bodies[1].first_particle;
            for (std::size_t i = 2; i < 400; ++i) {
                if (i % 8 < 2) continue;
                longest = std::max(
                    longest,
                    std::abs(distance(view.positions[first + i], view.positions[first + i - 1]) / (0.2 / 7) -
                             1));
            }
        }
        CHECK(worst < 1e-5);
        CHECK(longest < 0.05);
    }
}

TEST_CASE("wind takes strands along as ½ρ·c·d·v² says, and only across them") {
    // λ·dv/dt = ½ρ·c·d·(V − v)²:  1/(V − v) = 1/V + ρ·c·d·t/2λ
    Rope rope;
    rope.positions = *make_line({0, 0, 0}, {1, 0, 0}, 20);
    rope.material.linear_density = 0.01f;
    rope.material.radius = 0.002f;
    Settings settings = with_substeps(40);
    settings.gravity = {};
    settings.air_density = 1.2f;
    settings.wind = {3, 10, 0};
    settings.turbulence = 0;
    Simulation simulation = start(scene_of(body_of(std::move(rope)), settings));
    for (int frame = 1; frame <= 60; ++frame) {
        simulation.step();
        const double expected = 10 - 1 / (0.1 + 1.2 * 1.2 * 0.004 * simulation.view().time / 0.02);
        for (const Vec3& v : simulation.view().velocities) {
            REQUIRE(relative_error(v.y, expected) < 0.01);
            REQUIRE(std::abs(v.x) + std::abs(v.z) < 1e-4);
        }
    }
}

TEST_CASE("hair in the wind leans downwind, and comes to rest") {
    const auto scene = scene_from(
        R"({"solver": {"wind": [4, 0, 0], "turbulence": 0, "air_density": 1.2, "drag": 0.05},
            "bodies": [{"name": "h", "hair": {"disc": {}, "strands": 40, "points": 12, "length": 0.2}, "pins": [{"roots": {}}]}]})");
    REQUIRE(scene);
    auto made = Player::create(*scene);
    REQUIRE(made);
    Player& player = *made;
    for (int i = 0; i < 200; ++i) succeed(player.step());
    const View& view = player.simulation().view();
    for (std::size_t i = 11; i < view.positions.size(); i += 12)
        CHECK(view.positions[i].x > view.positions[i - 11].x + 0.1f);
}
