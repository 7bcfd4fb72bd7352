#include "base/rotation.h"

#include <doctest/doctest.h>

#include <cmath>

#include "support/simulations.h"

using namespace pliant;

namespace {

void check_near(const Vec3d& a, const Vec3d& b) { CHECK(test::length(a - b) < 1e-6); }

}  // namespace

TEST_CASE("degrees turn about x, then y, then z, by the right hand") {
    const Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
    check_near(rotate(rotation_of_degrees({90, 0, 0}), y), z);
    check_near(rotate(rotation_of_degrees({0, 90, 0}), z), x);
    check_near(rotate(rotation_of_degrees({0, 0, 90}), x), y);
    check_near(rotate(rotation_of_degrees({90, 90, 0}), y), x);  // y → z → x
    check_near(rotate(rotation_of_degrees({90, 0, 90}), x), y);  // x → x → y
    check_near(rotate(rotation_of_degrees({30, 0, 0}), y), {0, std::sqrt(0.75), 0.5});
    check_near(rotate(rotation_of_degrees({360, -720, 0}), y), y);
}

TEST_CASE("three angles are the product of three turns") {
    const Quaternion x = rotation_of_degrees({25, 0, 0}), y = rotation_of_degrees({0, -40, 0}),
                     z = rotation_of_degrees({0, 0, 110});
    const Vec3d v{0.3, -1, 2};
    check_near(rotate(rotation_of_degrees({25, -40, 110}), v), rotate(z, rotate(y, rotate(x, v))));
    check_near(rotate(product(z, product(y, x)), v), rotate(z, rotate(y, rotate(x, v))));
}

TEST_CASE("a quaternion of any length turns without stretching, rational ones exactly") {
    const Quaternion q{3, 1, 5, 15};  // cosines 12/13 about x, 4/5 about z
    const Vec3d turned = rotate(q, {0, 0, 13});
    CHECK(turned.z == 12);
    CHECK(test::length(rotate(q, {0.1, 0.2, 0.3})) == doctest::Approx(std::sqrt(0.14)).epsilon(1e-15));
}
