// Ropes that resist bending as older engines do: springs at joints, links to second neighbours.
#include <doctest/doctest.h>
#include <pliant/shapes.h>

#include <algorithm>
#include <cmath>

#include "base/convert.h"
#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

RopeMaterial material_of(RopeBending model, float bending = 0) {
    RopeMaterial material;
    material.bending_model = model;
    material.bending = bending;
    return material;
}

// Along x, its first two particles pinned.
Simulation cantilever(const RopeMaterial& material, int segments, float drag) {
    Rope rope;
    rope.positions = *make_line({0, 0, 0}, {1, 0, 0}, segments);
    rope.material = material;
    Settings settings;
    settings.drag = drag;
    return start(scene_of(body_of(std::move(rope), {}, {0, 1}), settings));
}

double worst_stretch(const Simulation& simulation, int segments) {
    double worst = 0;
    for (std::size_t i = 0; i < std::size_t(segments); ++i) {
        const double now = distance(simulation.view().positions[i], simulation.view().positions[i + 1]);
        worst = std::max(worst, std::abs(now * segments - 1));
    }
    return worst;
}

}  // namespace

TEST_CASE("springs at joints sag as a rod of the same stiffness does, at 5 to 80 segments") {
    for (const int segments : {5, 20, 80}) {
        CAPTURE(segments);
        Simulation sprung = cantilever(material_of(RopeBending::angles, 1), segments, 0.2f);
        Simulation rod = cantilever(material_of(RopeBending::rod, 1), segments, 0.2f);
        run(sprung, 600);
        run(rod, 600);
        const auto sag = [&](const Simulation& simulation) {
            return -double(simulation.view().positions[std::size_t(segments)].y);
        };
        CHECK(relative_error(sag(sprung), sag(rod)) < 0.02);
    }
}

TEST_CASE("a spring at a joint keeps its angle and turns to any side; a rod keeps the side too") {
    const auto hook_of = [](RopeBending model) {
        Rope rope;  // from x to y, its first segment clamped
        rope.positions = {{0, 0, 0}, {0.25f, 0, 0}, {0.5f, 0, 0}, {0.5f, 0.25f, 0}, {0.5f, 0.5f, 0}};
        rope.material = material_of(model, 10);
        Settings settings;
        settings.gravity = {0, 0, -9.81f};
        settings.drag = 0.05f;
        Simulation simulation = start(scene_of(body_of(std::move(rope), {}, {0, 1}), settings));
        run(simulation, 300);
        return simulation;
    };
    const Simulation sprung = hook_of(RopeBending::angles), rod = hook_of(RopeBending::rod);
    const auto x = sprung.view().positions;
    CHECK(double(x[4].z) < -0.49);
    CHECK(std::abs(double(x[4].y)) < 0.05);
    CHECK(std::abs(double(dot(x[2] - x[1], x[3] - x[2]))) < 0.02 * 0.25 * 0.25);  // rad
    CHECK(double(rod.view().positions[4].y) > 0.49);
}

TEST_CASE("links to second neighbours hold a rope of five segments out by a third of its length") {
    const int segments = 5;
    Simulation limp = cantilever(material_of(RopeBending::rod), segments, 0.02f);
    Simulation braced = cantilever(material_of(RopeBending::links), segments, 0.02f);
    double worst = 0;
    for (int frame = 0; frame < 300; ++frame) {
        limp.step();
        braced.step();
        worst = std::max(worst, worst_stretch(braced, segments));
    }
    CHECK(worst < 0.01);
    CHECK(double(limp.view().positions[5].y) < -0.75);
    CHECK(double(braced.view().positions[5].y) > -0.35);
}

TEST_CASE(
    "links to second neighbours leave the chain to its direct solve: a weight stretches no link by 0.1 %") {
    Rope rope;
    rope.positions = *make_line({0, 0, 0}, {0, -1, 0}, 40);
    rope.material = material_of(RopeBending::links);
    Description scene = scene_of(body_of(std::move(rope), {}, {0}));
    Body weight = lone_particle({0, -1, 0});
    std::get<Particles>(weight.shape).material.mass = 1000;
    scene.bodies.push_back(weight);
    scene.attachments.push_back({{0, 40}, ParticleReference{1, 0}, {}});
    Simulation simulation = start(scene);
    for (int frame = 0; frame < 120; ++frame) {
        simulation.step();
        CHECK(worst_stretch(simulation, 40) < 0.001);
    }
}

TEST_CASE("a straight rope with a rest curvature becomes an arc of that radius, at any number of links") {
    for (const int segments : {10, 40}) {
        for (const RopeBending model : {RopeBending::rod, RopeBending::angles}) {
            CAPTURE(segments);
            Rope rope;
            rope.positions = *make_line({0, 0, 0}, {1, 0, 0}, segments);
            rope.material = material_of(model, 0.1f);
            rope.material.rest_curvature = 3;
            Settings settings;
            settings.gravity = {};
            settings.drag = 0.1f;
            Simulation simulation = start(scene_of(body_of(std::move(rope), {}, {0, 1}), settings));
            run(simulation, 300);
            const auto x = simulation.view().positions;
            const double length = 1.0 / segments;
            for (std::size_t i = 2; i < x.size(); ++i) {
                const Vec3d a = to_double(x[i - 1] - x[i - 2]), b = to_double(x[i] - x[i - 1]);
                CHECK(std::atan2(pliant::length(cross(a, b)), dot(a, b)) ==
                      doctest::Approx(3 * length).epsilon(0.001));
            }
        }
    }
}

TEST_CASE("what only rods have is an error with other ways of bending") {
    const auto error_of = [](const RopeMaterial& material) {
        Rope rope;
        rope.positions = *make_line({0, 0, 0}, {1, 0, 0}, 4);
        rope.material = material;
        const auto made = Simulation::create(scene_of(body_of(std::move(rope))));
        return made ? std::string() : made.error().text();
    };
    RopeMaterial material = material_of(RopeBending::angles, 1);
    CHECK(error_of(material).empty());
    material.twist = 1;
    CHECK(error_of(material).find("/twist: must be 0 where bending_model is \"angles\", got 1") !=
          std::string::npos);
    material = material_of(RopeBending::rod);
    material.rest_curvature = 1;
    CHECK(error_of(material).find("/rest_curvature: must be 0 where there is no bending") !=
          std::string::npos);
    material.bending = 1;
    CHECK(error_of(material).empty());
    material.rest_curvature = -20;
    CHECK(error_of(material).find("/rest_curvature: must be at most 8") != std::string::npos);
    CHECK(error_of(material_of(RopeBending::links, 1)).find("/bending: must be 0") != std::string::npos);
}
