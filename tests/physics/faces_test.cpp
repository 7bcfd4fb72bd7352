// Bodies that are coarse against colliders: what lies between their corners stays out too.
#include <doctest/doctest.h>

#include <algorithm>

#include "collision/all.h"
#include "support/simulations.h"

namespace pliant::test {
namespace {

// How deep points of a body's triangles are in a collider, m; 66 of each.
double depth_in(const View& view, const ColliderShape& shape) {
    return collision::visit_shape(shape, [&]<class Kind>(const typename Kind::Shape& s) {
        const typename Kind::Local local = Kind::localize(s, {});
        double deepest = 0;
        constexpr int steps = 10;
        for (const Triangle& t : view.triangles) {
            const Vec3d a = to_double(view.positions[t[0]]), b = to_double(view.positions[t[1]]),
                        c = to_double(view.positions[t[2]]);
            for (int i = 0; i <= steps; ++i) {
                for (int k = 0; i + k <= steps; ++k) {
                    const Vec3d x = a + (b - a) * (double(i) / steps) + (c - a) * (double(k) / steps);
                    const auto met = collision::contact_with<Kind>(local, x, Vec3d{}, 0.0);
                    deepest = std::max(deepest, -met.distance);
                }
            }
        }
        return deepest;
    });
}

struct Obstacle {
    std::string name;
    ColliderShape shape;
};

// All much thinner than the edges of the bodies, under their middle, with their tops at 0.
std::vector<Obstacle> obstacles() {
    const Quaternion on_edge{0, 0, 0.3826834f, 0.9238795f};
    return {{"bar", Capsule{{-2, -0.01, 0.03}, {2, -0.01, 0.03}, 0.01f}},
            {"post", Capsule{{0.04, -2, 0.03}, {0.04, -0.02, 0.03}, 0.02f}},
            {"edge", Box{{0, -0.2f * 1.41421356, 0}, {0.2f, 0.2f, 2}, on_edge}},
            {"ball", Sphere{{0.03, -0.02, 0.05}, 0.02f}},
            {"pole", Cylinder{{0.04, -2, 0.03}, {0.04, 0, 0.03}, 0.02f}}};
}

Body coarse_cloth() {
    Cloth cloth;
    cloth.mesh = *make_sheet(1, 1, 6, 6);
    return body_of(std::move(cloth), {0, 0.2, 0});
}

Body coarse_jelly() {
    SoftBody soft;
    soft.mesh = *make_box({0.4f, 0.4f, 0.4f}, {3, 3, 3});
    soft.material.young_modulus = 1e5f;
    return body_of(std::move(soft), {0, 0.4, 0});
}

struct Drop {
    double deepest = 0;  // m, in any frame
    double height = 0;   // m, of the highest point at the end
    double fastest = 0;  // m/s, in any frame
};

Drop drop(const Body& body, const ColliderShape& shape, int frames) {
    Description description = scene_of(body);
    description.colliders.push_back({shape, 0.5f, 0.0f});
    Simulation simulation = start(description);
    Drop result;
    for (int frame = 0; frame < frames; ++frame) {
        simulation.step();
        result.deepest = std::max(result.deepest, depth_in(simulation.view(), shape));
        for (const Vec3& v : simulation.view().velocities)
            result.fastest = std::max(result.fastest, length(v));
    }
    result.height = -1e9;
    for (const Vec3& p : simulation.view().positions) result.height = std::max(result.height, double(p.y));
    return result;
}

}  // namespace

TEST_CASE("a coarse cloth that falls on thin things keeps its faces out of them") {
    for (const Obstacle& obstacle : obstacles()) {
        CAPTURE(obstacle.name);
        const Drop result = drop(coarse_cloth(), obstacle.shape, 60);
        CHECK(result.deepest < 1e-3);
        CHECK(result.fastest < 9);
        CHECK(result.height > -0.01);
    }
}

TEST_CASE("a coarse jelly that falls on thin things keeps its faces out of them") {
    for (const Obstacle& obstacle : obstacles()) {
        CAPTURE(obstacle.name);
        const Drop result = drop(coarse_jelly(), obstacle.shape, 60);
        CHECK(result.deepest < 1e-3);
    }
}

}  // namespace pliant::test
