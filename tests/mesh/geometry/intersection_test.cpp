// Triangle against triangle, and many of them.
#include "mesh/geometry/intersection.h"

#include <doctest/doctest.h>
#include <pliant/shapes.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/convert.h"
#include "mesh/geometry/box_tree.h"
#include "support/meshes.h"
#include "support/random_source.h"

using namespace pliant;
using namespace pliant::test;

namespace {

using Whole = std::array<long, 3>;

Whole minus(const Whole& a, const Whole& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Whole times(const Whole& a, const Whole& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
long along(const Whole& a, const Whole& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

bool separated_along(const Whole& axis, const Whole* a, const Whole* b) {
    const auto [low_a, high_a] = std::minmax({along(axis, a[0]), along(axis, a[1]), along(axis, a[2])});
    const auto [low_b, high_b] = std::minmax({along(axis, b[0]), along(axis, b[1]), along(axis, b[2])});
    return high_a < low_b || high_b < low_a;
}

// Two triangles are apart just if a plane separates them, whose normal is that of one of them, or at right
// angles to a side of each, or to a side and a normal. In whole numbers.
bool meet_in_whole_numbers(const Whole* a, const Whole* b) {
    std::vector<Whole> axes;
    const Whole normal_a = times(minus(a[1], a[0]), minus(a[2], a[0])),
                normal_b = times(minus(b[1], b[0]), minus(b[2], b[0]));
    axes = {normal_a, normal_b};
    for (std::size_t i = 0; i < 3; ++i) {
        const Whole side_a = minus(a[(i + 1) % 3], a[i]), side_b = minus(b[(i + 1) % 3], b[i]);
        axes.push_back(times(normal_a, side_a));
        axes.push_back(times(normal_b, side_b));
        for (std::size_t j = 0; j < 3; ++j) axes.push_back(times(side_a, minus(b[(j + 1) % 3], b[j])));
    }
    return std::none_of(axes.begin(), axes.end(),
                        [&](const Whole& axis) { return separated_along(axis, a, b); });
}

Vec3d to_vector(const Whole& p, double scale, const Vec3d& shift) {
    return Vec3d{static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])} * scale +
           shift;
}

}  // namespace

TEST_CASE("triangles on a small grid meet just as whole numbers say, however they touch") {
    RandomSource random(1);
    int met = 0, coplanar = 0;
    for (int round = 0; round < 60000; ++round) {
        Whole p[6];
        const std::size_t flat = random.below(4);  // sometimes all in one plane
        for (Whole& corner : p) {
            for (std::size_t k = 0; k < 3; ++k) {
                corner[k] = flat == k ? 1 : static_cast<long>(random.below(5));
            }
        }
        const Whole normal = times(minus(p[1], p[0]), minus(p[2], p[0]));
        if (normal == Whole{} || times(minus(p[4], p[3]), minus(p[5], p[3])) == Whole{}) continue;
        coplanar += flat < 3;
        const bool expected = meet_in_whole_numbers(p, p + 3);
        met += expected;
        // Powers of two and whole shifts keep the numbers exact.
        const double scale = std::ldexp(1.0, static_cast<int>(random.below(40)) - 30);
        const Vec3d shift = Vec3d{1000, -77, 5} * scale;
        std::array<Vec3d, 3> a, b;
        for (std::size_t k = 0; k < 3; ++k) {
            a[k] = to_vector(p[k], scale, shift);
            b[k] = to_vector(p[k + 3], scale, shift);
        }
        if (mesh::triangles_meet(a, b) != expected || mesh::triangles_meet(b, a) != expected) {
            FAIL_CHECK("round " << round << " should " << (expected ? "meet" : "not meet"));
        }
    }
    CHECK(met > 5000);
    CHECK(coplanar > 5000);
}

TEST_CASE("a triangle has no area just if its corners lie on one line") {
    CHECK(mesh::has_no_area({0, 0, 0}, {1, 2, 3}, {2, 4, 6}));
    CHECK(mesh::has_no_area({1, 1, 1}, {1, 1, 1}, {2, 0, 5}));
    CHECK_FALSE(mesh::has_no_area({0, 0, 0}, {1, 2, 3}, {2, 4, std::nextafter(6.0f, 7.0f)}));
    CHECK_FALSE(mesh::has_no_area({1e-30f, 0, 0}, {0, 1e-30f, 0}, {0, 0, 1e-30f}));
    CHECK_FALSE(mesh::has_no_area({1e30f, 0, 0}, {0, 1e30f, 0}, {0, 0, 1e-30f}));
}

TEST_CASE("the tree finds the same intersecting pairs as trying all of them") {
    RandomSource random(5);
    for (int round = 0; round < 20; ++round) {
        TriangleMesh soup;
        for (std::uint32_t t = 0; t < 150; ++t) {
            const Vec3 at = random.point_float(1);
            for (int k = 0; k < 3; ++k) soup.positions.push_back(at + random.point_float(0.3));
            soup.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
        }
        std::uint64_t expected = 0;
        const auto corners = [&](std::size_t t) {
            return std::array<Vec3d, 3>{to_double(soup.positions[3 * t]),
                                        to_double(soup.positions[3 * t + 1]),
                                        to_double(soup.positions[3 * t + 2])};
        };
        for (std::size_t s = 0; s < 150; ++s) {
            for (std::size_t t = 0; t < s; ++t) expected += mesh::triangles_meet(corners(s), corners(t));
        }
        CHECK(expected > 10);
        CHECK(mesh::count_intersecting_pairs(soup.positions, soup.triangles, 1000000) == expected);
        CHECK(mesh::count_intersecting_pairs(soup.positions, soup.triangles, 7) == 7);
    }
}

TEST_CASE("a tree of boxes finds what meets a box and what is near a point") {
    RandomSource random(8);
    for (const std::size_t count : {0u, 1u, 3u, 4u, 5u, 17u, 300u}) {
        std::vector<Bounds3> boxes(count);
        for (Bounds3& box : boxes) {
            const Vec3 at = random.point_float(1);
            box.add(at);
            box.add(at + random.point_float(random.chance(0.3) ? 0 : 0.3));
        }
        const mesh::BoxTree tree(boxes);
        for (int round = 0; round < 30; ++round) {
            Bounds3 query;
            query.add(random.point_float(1.2));
            query.add(random.point_float(1.2));
            std::vector<std::uint32_t> found, expected;
            tree.for_each_meeting(query, [&](std::uint32_t box) { found.push_back(box); });
            std::sort(found.begin(), found.end());
            for (std::uint32_t i = 0; i < count; ++i) {
                if (boxes[i].meets(query)) expected.push_back(i);
            }
            CHECK(found == expected);

            const Vec3d point = random.point(1.5);
            double nearest = 1e300, truth = 1e300;
            tree.for_each_near(point, [&](std::uint32_t box) {
                return nearest = std::min(nearest, boxes[box].squared_distance(point));
            });
            for (const Bounds3& box : boxes) truth = std::min(truth, box.squared_distance(point));
            CHECK(nearest == truth);
        }
    }
}
