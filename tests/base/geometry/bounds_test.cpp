#include <pliant/bounds.h>

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "base/geometry/tetrahedron.h"
#include "base/union_find.h"

using namespace pliant;

TEST_CASE("bounds grow with points and with other bounds") {
    Bounds3d bounds;
    CHECK(bounds.empty());
    CHECK(bounds.center() == Vec3d{0, 0, 0});
    CHECK(bounds.diagonal() == 0);
    CHECK(std::isinf(bounds.squared_distance({0, 0, 0})));
    bounds.add(Vec3d{1, std::nan(""), 0});  // no place
    CHECK(bounds.empty());
    bounds.add(Vec3d{1, 2, 3});
    CHECK_FALSE(bounds.empty());
    CHECK(bounds.extent() == Vec3d{0, 0, 0});
    Bounds3d other;
    other.add(Vec3d{-1, 4, 3});
    bounds.add(other);
    CHECK(bounds.low == Vec3d{-1, 2, 3});
    CHECK(bounds.high == Vec3d{1, 4, 3});
    CHECK(bounds.center() == Vec3d{0, 3, 3});
    CHECK(bounds.extent() == Vec3d{2, 2, 0});
    bounds.add(Bounds3d{});
    CHECK(bounds.extent() == Vec3d{2, 2, 0});
    CHECK(bounds.contains({0, 3, 3}));
    CHECK_FALSE(bounds.contains({0, 3, 3.1}));
    CHECK(bounds.squared_distance({0, 3, 5}) == 4);
    const std::vector<Vec3> points{{0, 1, 2}, {3, -1, 0}};
    CHECK(bounds_of<float>(points).extent() == Vec3{3, 2, 2});
}

TEST_CASE("the volume of a tetrahedron is signed") {
    const Vec3d a{1, 1, 1}, b{3, 1, 1}, c{1, 4, 1}, d{1, 1, 5};
    CHECK(six_volumes(a, b, c, d) == 24);
    CHECK(tetrahedron_volume(a, b, c, d) == 4);
    CHECK(tetrahedron_volume(a, c, b, d) == -4);
    CHECK(triple_product(Vec3{2, 0, 0}, Vec3{0, 3, 0}, Vec3{0, 0, 4}) == 24);
}

TEST_CASE("sets are numbered by their smallest members") {
    UnionFind sets(6);
    sets.join(5, 3);
    sets.join(4, 0);
    sets.join(3, 1);
    CHECK(sets.find(5) == 1);
    std::vector<std::uint32_t> set_of;
    CHECK(sets.number_sets(set_of) == 3);
    CHECK(set_of == std::vector<std::uint32_t>{0, 1, 2, 1, 0, 1});
}
