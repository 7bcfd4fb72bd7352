#include "mesh/geometry/winding.h"

#include <doctest/doctest.h>
#include <pliant/mesh.h>

#include <algorithm>
#include <cmath>

#include "mesh/geometry/angle.h"
#include "mesh/geometry/closest_point.h"
#include "mesh/tetrahedralize/solid.h"
#include "support/random_source.h"
#include "support/surfaces.h"

using namespace pliant;
using namespace pliant::test;
using doctest::Approx;

namespace {

constexpr double group_error = 0.02;

double squared_distance(const Vec3d& p, const std::array<Vec3d, 3>& c) {
    const Vec3d d = p - mesh::closest_on_triangle(c[0], c[1], c[2], p);
    return dot(d, d);
}

double brute_force_distance(const TriangleMesh& mesh, const Vec3d& point) {
    double best = std::numeric_limits<double>::infinity();
    for (const Triangle& t : mesh.triangles) {
        best = std::min(
            best, squared_distance(point, {to_double(mesh.positions[t[0]]), to_double(mesh.positions[t[1]]),
                                           to_double(mesh.positions[t[2]])}));
    }
    return best;
}

TriangleMesh scattered_triangles(std::uint64_t seed, std::size_t count, double size) {
    RandomSource random(seed);
    TriangleMesh mesh;
    for (std::uint32_t i = 0; i < count; ++i) {
        const Vec3d centre = random.point();
        for (int corner = 0; corner < 3; ++corner) {
            mesh.positions.push_back(to_float(centre + random.point(size)));
        }
        mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    }
    return mesh;
}

}  // namespace

TEST_CASE("the angle of a vector agrees with the C library's arctangent") {
    RandomSource random(1);
    for (int i = 0; i < 10000; ++i) {
        const double y = random.real(-1, 1), x = random.real(-1, 1);
        CHECK(std::abs(mesh::angle_of(y, x) - std::atan2(y, x)) < 1e-14);
    }
    CHECK(mesh::angle_of(0, 0) == 0);
    CHECK(mesh::angle_of(0, -2) == Approx(pi));
    CHECK(mesh::angle_of(-3, 0) == Approx(-pi / 2));
}

TEST_CASE("the distance to a triangle is that of the nearest of many points on it") {
    RandomSource random(2);
    for (int i = 0; i < 60; ++i) {
        std::array<Vec3d, 3> c{random.point(), random.point(), random.point()};
        if (i % 6 == 1) c[2] = c[1];                 // a segment
        if (i % 6 == 3) c[2] = (c[0] + c[1]) * 0.5;  // the same
        if (i % 6 == 5) c[2] = c[1] = c[0];          // a point
        const Vec3d p = random.point(2);
        double sampled = 1e9;
        constexpr int steps = 150;
        for (int u = 0; u <= steps; ++u) {
            for (int v = 0; u + v <= steps; ++v) {
                const Vec3d q = c[0] + (c[1] - c[0]) * (1.0 * u / steps) + (c[2] - c[0]) * (1.0 * v / steps);
                sampled = std::min(sampled, length(p - q));
            }
        }
        const double found = std::sqrt(squared_distance(p, c));
        CHECK(found <= sampled + 1e-12);
        CHECK(found > sampled - 0.03);
    }
}

TEST_CASE("the tree finds the nearest triangle that a search of all finds") {
    TriangleMesh soup = scattered_triangles(3, 500, 0.2);
    soup.triangles.push_back({0, 0, 0});
    soup.triangles.push_back({1, 4, 1});
    for (const TriangleMesh& surface : {soup, torus(1, 0.3), box({-1, -1, -1}, {1, 0, 1})}) {
        const mesh::TriangleTree tree(surface.positions, surface.triangles);
        RandomSource random(4);
        for (int i = 0; i < 300; ++i) {
            const Vec3d p = random.point(i % 3 == 0 ? 10 : 1.5);
            const double expected = brute_force_distance(surface, p);
            const mesh::Nearest found = tree.nearest(p);
            CHECK(found.squared_distance == Approx(expected).epsilon(1e-14));
            REQUIRE(found.triangle < surface.triangles.size());
            CHECK(tree.any_within(p, expected * 1.001));
            CHECK(!tree.any_within(p, expected * 0.999));
            CHECK(tree.nearest(p, expected * 0.999).triangle == 0xffffffff);
        }
    }
    const mesh::TriangleTree empty({}, {});
    CHECK(empty.nearest({}).triangle == 0xffffffff);
    CHECK(!empty.any_within({}, 1));
}

// Ω of a rectangle a × b seen from height h above its middle: 4 atan(ab / (2h √(4h² + a² + b²))).
TEST_CASE("a rectangle is seen under the angle that the closed form gives") {
    TriangleMesh plate;
    plate.positions = {{-1, -0.5f, 0}, {1, -0.5f, 0}, {1, 0.5f, 0}, {-1, 0.5f, 0}};
    plate.triangles = {{0, 1, 2}, {0, 2, 3}};
    const mesh::TriangleTree tree(plate.positions, plate.triangles);
    const mesh::WindingNumber winding(tree);
    for (const double h : {1e-6, 0.01, 0.3, 1.0, 2.0}) {
        const double a = 2, b = 1;
        const double expected =
            4 * std::atan(a * b / (2 * h * std::sqrt(4 * h * h + a * a + b * b))) / (4 * pi);
        CHECK(winding.exact({0, 0, -h}) == Approx(expected).epsilon(1e-9));
        CHECK(winding.exact({0, 0, h}) == Approx(-expected).epsilon(1e-9));
        CHECK(winding.at({0, 0, -h}) == Approx(expected).epsilon(group_error));
    }
    CHECK(winding.at({0, 0, -1000}) == Approx(2 / (4 * pi * 1e6)).epsilon(1e-5));
}

TEST_CASE("a closed surface winds around a point inside once, outside never") {
    for (const TriangleMesh& surface : {sphere(1), torus(0.7, 0.29)}) {
        const mesh::TriangleTree tree(surface.positions, surface.triangles);
        const mesh::WindingNumber winding(tree);
        RandomSource random(5);
        for (int i = 0; i < 500; ++i) {
            const Vec3d p = random.point(1.2);
            const double exact = winding.exact(p);
            CHECK(std::abs(exact - std::round(exact)) < 1e-10);
            CHECK(std::abs(winding.at(p) - exact) < group_error);
        }
    }
    const TriangleMesh ball = sphere(1);
    const mesh::TriangleTree tree(ball.positions, ball.triangles);
    const mesh::WindingNumber winding(tree);
    CHECK(winding.exact({0, 0, 0}) == Approx(1));
    CHECK(winding.exact({0.9, 0.1, 0.2}) == Approx(1));
    CHECK(std::abs(winding.exact({0, 1.1, 0})) < 1e-12);
}

TEST_CASE("the winding number by groups is that of the single triangles, also of open surfaces and soups") {
    TriangleMesh hemisphere = sphere(1, 32);
    std::erase_if(hemisphere.triangles, [&](const Triangle& t) { return hemisphere.positions[t[0]].z < 0; });
    for (const TriangleMesh& surface : {hemisphere, scattered_triangles(6, 3000, 0.1)}) {
        const mesh::TriangleTree tree(surface.positions, surface.triangles);
        const mesh::WindingNumber winding(tree);
        RandomSource random(7);
        double worst = 0;
        for (int i = 0; i < 500; ++i) {
            const Vec3d p = random.point(i % 2 == 0 ? 1.2 : 4);
            worst = std::max(worst, std::abs(winding.at(p) - winding.exact(p)));
        }
        CAPTURE(worst);
        CHECK(worst < group_error);
    }
}

TEST_CASE("numbers of any size give the same winding number") {
    for (const double scale : {1e-18, 1e-6, 1e9, 1e17}) {
        const TriangleMesh ball = sphere(scale, 8);
        const mesh::TriangleTree tree(ball.positions, ball.triangles);
        const mesh::WindingNumber winding(tree);
        CHECK(winding.at(Vec3d{0.3, 0.4, -0.2} * scale) == Approx(1).epsilon(group_error));
        CHECK(std::abs(winding.at(Vec3d{1.3, 0.4, -0.2} * scale)) < group_error);
    }
}

TEST_CASE("what is inside: nested, turned, overlapping and open surfaces") {
    const Vec3d middle{}, between{0, 0.75, 0}, outside{0, 1.5, 0};
    const mesh::Solid cavity(together(sphere(1), turned(sphere(0.5))));
    CHECK(!cavity.inside(middle));
    CHECK(cavity.inside(between));
    CHECK(!cavity.inside(outside));
    CHECK(cavity.closed());
    CHECK(cavity.components() == 2);

    const mesh::Solid twice(together(sphere(1), sphere(0.5)));
    CHECK(twice.winding().exact(middle) == Approx(2));
    CHECK(twice.inside(middle));
    CHECK(twice.inside(between));

    const mesh::Solid inside_out(turned(sphere(1)));
    CHECK(inside_out.inside(middle));
    CHECK(inside_out.signed_volume() < 0);

    TriangleMesh bowl = sphere(1);
    std::erase_if(bowl.triangles, [&](const Triangle& t) { return bowl.positions[t[0]].z > 0.6f; });
    const mesh::Solid open(bowl);
    CHECK(!open.closed());
    CHECK(open.open_edges() > 0);
    CHECK(open.turned_edges() == 0);
    CHECK(open.inside(middle));
    CHECK(!open.inside({0, 0, 1.2}));

    TriangleMesh mixed = box({0, 0, 0}, {1, 1, 1});
    std::swap(mixed.triangles[3][1], mixed.triangles[3][2]);
    const mesh::Solid one_turned(mixed);
    CHECK(one_turned.turned_edges() == 3);
    CHECK(one_turned.open_edges() == 0);
}
