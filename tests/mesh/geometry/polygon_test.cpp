#include "mesh/geometry/polygon.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/convert.h"
#include "support/random_source.h"

using namespace pliant;
using namespace pliant::test;

namespace {

Vec3d twice_area(std::span<const Vec3> corners, const Triangle& t) {
    const Vec3d a = to_double(corners[t[0]]);
    return cross(to_double(corners[t[1]]) - a, to_double(corners[t[2]]) - a);
}

// Without overlap the triangles' areas, each as a positive number, sum up to that of the polygon.
void check_triangulation(const std::vector<Vec3>& corners) {
    std::vector<Triangle> triangles;
    REQUIRE(mesh::triangulate_polygon(corners, triangles));
    REQUIRE(triangles.size() == corners.size() - 2);
    Vec3d polygon;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        polygon = polygon + cross(to_double(corners[i]), to_double(corners[(i + 1) % corners.size()]));
    }
    double sum = 0;
    for (const Triangle& t : triangles) {
        const Vec3d area = twice_area(corners, t);
        CHECK(dot(area, polygon) > 0);
        sum += length(area);
    }
    CHECK(sum == doctest::Approx(length(polygon)).epsilon(1e-5));
}

// A star-shaped polygon in any plane, either way round, its radius between `inner` and 1.
std::vector<Vec3> star(RandomSource& random, std::size_t count, double inner) {
    const Vec3d normal = random.point();
    Vec3d u = cross(normal, Vec3d{0.3, 0.5, 0.7});
    u = u * (1 / length(u));
    Vec3d v = cross(normal, u);
    v = v * (1 / length(v));
    std::vector<Vec3> corners;
    for (std::size_t i = 0; i < count; ++i) {
        const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(count);
        const double radius = random.real(inner, 1);
        corners.push_back(to_float(u * (radius * std::cos(angle)) + v * (radius * std::sin(angle))));
    }
    if (random.chance(0.5)) std::reverse(corners.begin(), corners.end());
    return corners;
}

}  // namespace

TEST_CASE("concave polygons become triangles that do not overlap") {
    RandomSource random(3);
    for (int i = 0; i < 2000; ++i) check_triangulation(star(random, 4 + random.below(30), 0.1));
    check_triangulation(star(random, 4000, 0.5));
    // A spiral: a strip of which no point sees the whole.
    std::vector<Vec3> spiral;
    for (int side = 0; side < 2; ++side) {
        for (int k = 0; k < 200; ++k) {
            const int i = side == 0 ? k : 199 - k;
            const double angle = 0.1 * i, radius = 1 + 0.2 * angle + (side == 0 ? 0 : 0.4);
            spiral.push_back({static_cast<float>(radius * std::cos(angle)), 2,
                              static_cast<float>(radius * std::sin(angle))});
        }
    }
    check_triangulation(spiral);
}

TEST_CASE("convex polygons become fans, and points on their edges no flat triangles") {
    std::vector<Triangle> triangles;
    mesh::triangulate_polygon(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, triangles);
    CHECK(triangles == std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}});
    // A square with a point in the middle of each side.
    check_triangulation(
        {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0}, {2, 2, 0}, {1, 2, 0}, {0, 2, 0}, {0, 1, 0}});
}

TEST_CASE("polygons that make no sense still become triangles") {
    for (const std::vector<Vec3>& corners :
         {std::vector<Vec3>{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}},
          std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}},
          std::vector<Vec3>{{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}},
          std::vector<Vec3>{{3e38f, 0, 0}, {-3e38f, 3e38f, 0}, {1, 0, 3e38f}, {-3e38f, -3e38f, 1}}}) {
        std::vector<Triangle> triangles;
        CHECK(mesh::triangulate_polygon(corners, triangles));
        CHECK(triangles.size() == corners.size() - 2);
        for (const Triangle& t : triangles) {
            CHECK(*std::max_element(t.begin(), t.end()) < corners.size());
        }
    }
    RandomSource random(4);
    std::vector<Triangle> none;
    CHECK_FALSE(mesh::triangulate_polygon(star(random, 5000, 0.5), none));
    CHECK(none.empty());
}
