#include "output/picture/camera.h"

#include "support/random_source.h"

#include <pliant/simulation.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace pliant;
using namespace pliant::output;

namespace {

// How much of the picture the box fills, from 0 to 1 in the larger direction; beyond 1 it is cut off.
double filled(const Camera& camera, double aspect, const Bounds& box) {
    double most = 0;
    for (int corner = 0; corner < 8; ++corner) {
        const auto at = project(camera, aspect,
                                {corner & 1 ? box.high.x : box.low.x, corner & 2 ? box.high.y : box.low.y,
                                 corner & 4 ? box.high.z : box.low.z});
        if (!at) return 1e9;
        most = std::max({most, std::abs(2 * at->x - 1), std::abs(2 * at->y - 1)});
    }
    return most;
}

Bounds box(Vec3d low, Vec3d high) { return {low, high}; }

Bounds expected_at_start(const Description& scene) {
    const auto simulation = Simulation::create(scene);
    REQUIRE(simulation);
    return expected_bounds(simulation->view());
}

}  // namespace

TEST_CASE("a framed box fills the picture and is never cut off") {
    test::RandomSource random(7);
    for (int i = 0; i < 500; ++i) {
        const auto number = [&] { return random.real(-1, 1); };
        const double size = std::pow(10.0, 4.0 * number());
        const Vec3d low = Vec3d{number(), number(), number()} * (10 * size);
        const Vec3d extent{size * (number() + 1), size * (number() + 1), size * (number() + 1.01)};
        const Bounds b = box(low, low + extent);
        const double aspect = std::pow(2.0, number());
        const double share = filled(frame(b, aspect, {number(), number(), number() + 0.01}), aspect, b);
        CHECK(share <= 0.8801);
        CHECK(share >= 0.5);  // a thin box seen along its length has to stay behind the eye's distance
    }
}

TEST_CASE("a narrow picture shows as much from left to right as one of 4 : 3") {
    const Camera camera{{0, 1, 3}, {0, 1, 0}, 35};
    const Vec3d at_the_edge{std::tan(35 * 3.14159265358979 / 360) * 4 / 3 * 3, 1, 0};
    for (const double aspect : {4.0 / 3, 1.0, 0.5625, 0.1}) {
        const auto seen = project(widened(camera, aspect), aspect, at_the_edge);
        REQUIRE(seen);
        CHECK(std::abs(seen->x - 1) < 1e-9);
    }
    CHECK(widened(camera, 16.0 / 9).field_of_view == 35);
}

TEST_CASE("the expected bounds hold what hangs and what falls, and ignore planes") {
    Description scene;
    Rope rope;
    rope.positions = {{0, 0, 0}, {1, 0, 0}};
    Body held;
    held.shape = rope;
    held.position = {0, 2, 0};
    held.pinned = {0};
    scene.bodies = {held};
    Bounds b = expected_at_start(scene);
    CHECK(b.low == Vec3d{-1, 1, -1});
    CHECK(b.high == Vec3d{1, 2, 1});

    Body loose = held;
    loose.pinned.clear();
    loose.position = {5, 3, 0};
    scene.bodies = {loose};
    scene.colliders.push_back({.shape = Plane{}});
    b = expected_at_start(scene);
    CHECK(b.low.y == 0);
    CHECK(b.high.y == 3);
    CHECK(b.diagonal() < 4);
}

TEST_CASE("a steady camera stands still while all stays inside, and loses nothing that leaves") {
    const Bounds start = box({-1, 0, -1}, {1, 2, 1});
    SteadyCamera camera(start, 1.5);
    const Camera before = camera.camera();
    for (int i = 0; i < 50; ++i) camera.follow(box({-0.5, 0, -0.5}, {0.5, 1 + 0.02 * i, 0.5}));
    CHECK(camera.camera().eye == before.eye);

    // A ball thrown away: always whole in the picture, and the eye never jumps.
    Vec3d last = before.eye;
    for (int i = 0; i < 300; ++i) {
        const Vec3d at{0.05 * i, 1 - 0.01 * i * i * 0.05, 0};
        const Bounds ball = box(at - Vec3d{0.2, 0.2, 0.2}, at + Vec3d{0.2, 0.2, 0.2});
        camera.follow(ball);
        CHECK(filled(camera.camera(), 1.5, ball) <= 1);
        const Vec3d moved = camera.camera().eye - last;
        CHECK(std::sqrt(dot(moved, moved)) < 1.5);
        last = camera.camera().eye;
    }
    CHECK(camera.stage().diagonal() < 20);  // what stayed behind is let go
}

TEST_CASE("points that are no numbers have no place in bounds") {
    Bounds b;
    CHECK(b.empty());
    b.add(Vec3d{std::nan(""), 0, 0});
    CHECK(b.empty());
    b.add(Bounds{});
    CHECK(b.empty());
    CHECK(b.diagonal() == 0);
    b.add(Vec3d{1, 2, 3});
    CHECK(!b.empty());
    const Camera camera = frame(b, 1, {0, 0, -1});
    CHECK(std::isfinite(camera.eye.x + camera.eye.y + camera.eye.z));
}
