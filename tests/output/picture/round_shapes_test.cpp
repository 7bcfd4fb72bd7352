#include "output/picture/round_shapes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace pliant;
using namespace pliant::output;

TEST_CASE("a tube is as wide to all sides as its radius, a ribbon along its sides alone") {
    const std::vector<Vec3> path{{0, 0, 0}, {0, 0, 0.5f}, {0, 0, 1}};
    const auto extent = [](const Tube& tube, float Vec3::*axis) {
        float most = 0;
        for (const Vec3& p : tube.shape.positions) most = std::max(most, std::abs(p.*axis));
        return most;
    };
    const Tube round = make_tube(path, 0.1f);
    CHECK(extent(round, &Vec3::x) == doctest::Approx(0.1).epsilon(0.03));
    CHECK(extent(round, &Vec3::y) == doctest::Approx(0.1).epsilon(0.03));

    const std::vector<Vec3> along_y(3, Vec3{0, 1, 0});
    const Tube flat = make_tube(path, 0.1f, {along_y, 0.02f});
    CHECK(extent(flat, &Vec3::x) == doctest::Approx(0.01));
    CHECK(extent(flat, &Vec3::y) == doctest::Approx(0.1));
    CHECK(extent(flat, &Vec3::z) == doctest::Approx(1.01));  // its ends are as round as it is thick
}

TEST_CASE("a ribbon turns with its sides, and its normals are across its faces") {
    const std::vector<Vec3> path{{0, 0, 0}, {0, 0, 1}, {0, 0, 2}}, sides{{1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    const Tube ribbon = make_tube(path, 0.1f, {sides, 0.01f});
    for (std::size_t i = 0; i < ribbon.shape.positions.size(); ++i) {
        const Vec3 p = ribbon.shape.positions[i], n = ribbon.shape.normals[i];
        CHECK(std::sqrt(dot(n, n)) == doctest::Approx(1).epsilon(1e-4));
        if (p.z == 0) CHECK(std::abs(p.y) < 0.0051f);
        if (p.z == 1) CHECK(std::abs(p.x - p.y) < 0.0072f);
        if (p.z == 2) CHECK(std::abs(p.x) < 0.0051f);
        // Halfway from the middle to its edge, a face is flat.
        if (p.z == 0 && std::abs(p.x) < 0.05f) CHECK(std::abs(n.y) > 0.99f);
    }
}
