#include "mesh/geometry/predicates.h"

#include "support/random_source.h"
#include "support/wide_integer.h"

#include <doctest/doctest.h>

#include <limits>

using namespace pliant;
using namespace pliant::mesh;
using test::RandomSource;

namespace {

// The widest that the range of coordinates needs: 5 · (201 + 192) bits and a few.
constexpr std::size_t widest = 64;

int exact_orient3d(const std::array<Vec3d, 5>& p) {
    const auto w = test::whole_points<widest>(p);
    return test::exact_volume(w[0], w[1], w[2], w[3]).sign();
}

int exact_insphere(const std::array<Vec3d, 5>& p) {
    const auto w = test::whole_points<widest>(p);
    return test::exact_insphere(w[0], w[1], w[2], w[3], w[4]).sign();
}

// Counts how many are decided wrongly, among as many exact zeros as there are.
struct Tally {
    int wrong = 0, zero = 0;

    void compare(const std::array<Vec3d, 5>& p) {
        const int orientation = exact_orient3d(p);
        wrong += orient3d(p[0], p[1], p[2], p[3]) != orientation;
        zero += orientation == 0;
        if (orientation == 0) return;
        const bool swap = orientation < 0;
        const std::array<Vec3d, 5> q{p[0], p[1], swap ? p[3] : p[2], swap ? p[2] : p[3], p[4]};
        const int side = exact_insphere(q);
        wrong += insphere(q[0], q[1], q[2], q[3], q[4]) != side;
        zero += side == 0;
    }
};

double step_by_ulps(double x, int ulps) {
    const double end =
        ulps > 0 ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
    for (int i = 0; i < std::abs(ulps); ++i) x = std::nextafter(x, end);
    return x;
}

}  // namespace

TEST_CASE("predicates know a tetrahedron and its sphere") {
    const Vec3d a{0, 0, 0}, b{1, 0, 0}, c{0, 1, 0}, d{0, 0, 1};
    CHECK(orient3d(a, b, c, d) == 1);
    CHECK(orient3d(a, c, b, d) == -1);
    CHECK(orient3d(a, b, c, {5, 7, 0}) == 0);
    CHECK(insphere(a, b, c, d, {0.5, 0.5, 0.5}) == 1);
    CHECK(insphere(a, b, c, d, {1, 1, 1}) == 0);
    CHECK(insphere(a, b, c, d, {1, 1, std::nextafter(1, 2)}) == -1);
    CHECK(insphere(a, b, c, d, {1, 1, std::nextafter(1, 0)}) == 1);
    CHECK(collinear({0, 0, 0}, {1, 2, 3}, {-2, -4, -6}));
    CHECK_FALSE(collinear({0, 0, 0}, {1, 2, 3}, {-2, -4, std::nextafter(-6, 0)}));
    CHECK(collinear(a, a, b));
}

TEST_CASE("predicates agree with whole numbers on small grids, where most is degenerate") {
    RandomSource random(1);
    Tally tally;
    for (int i = 0; i < 5000; ++i) {
        std::array<Vec3d, 5> p{};
        const std::size_t size = 2 + random.below(6);
        const double scale = random.chance(0.5) ? 1 : 0.1, shift = random.chance(0.5) ? 0 : 0.3;
        for (Vec3d& q : p) {
            const auto draw = [&] { return static_cast<double>(random.below(size)) * scale + shift; };
            q = {draw(), draw(), draw()};
        }
        tally.compare(p);
    }
    CHECK(tally.wrong == 0);
    CHECK(tally.zero > 500);
}

TEST_CASE("predicates agree with whole numbers where points are a few ulps off a plane and a sphere") {
    // As L. Kettner et al., Classroom examples of robustness problems in geometric computations, CGTA 40,
    // 2008: neighbouring floating-point numbers around a degenerate place.
    RandomSource random(2);
    Tally tally;
    for (int i = 0; i < 2000; ++i) {
        std::array<Vec3d, 5> p{Vec3d{12, 12, 12}, {24, 24, 12}, {12, 24, 24}, {24, 12, 24}, {0.5, 0.5, 0.5}};
        if (random.chance(0.5)) p[3] = {24, 24.5, 18};                  // a plane nearly through the fourth
        if (random.chance(0.5)) p[4] = {12, 12, 24};                    // a cube's corner
        if (random.chance(0.2)) p[1] = p[0] + Vec3d{1e-9, 2e-9, 1e-9};  // a sliver
        for (Vec3d& q : p) {
            const auto shake = [&](double x) {
                return step_by_ulps(x, static_cast<int>(random.below(9)) - 4);
            };
            q = {shake(q.x), shake(q.y), shake(q.z)};
        }
        tally.compare(p);
    }
    CHECK(tally.wrong == 0);
}

TEST_CASE("predicates agree with whole numbers for points near one sphere") {
    RandomSource random(3);
    Tally tally;
    for (int i = 0; i < 2000; ++i) {
        const Vec3d centre = random.point(i % 2 == 0 ? 0 : 100);
        std::array<Vec3d, 5> p{};
        for (Vec3d& q : p) {
            const Vec3d direction = random.point();
            q = centre + direction * (1 / std::sqrt(dot(direction, direction)));
        }
        tally.compare(p);
    }
    CHECK(tally.wrong == 0);
}

TEST_CASE("predicates agree with whole numbers over their whole range") {
    RandomSource random(4);
    Tally tally;
    for (int i = 0; i < 1000; ++i) {
        std::array<Vec3d, 5> p{};
        const std::size_t kind = random.below(3);  // everything, only tiny, only huge
        const double low = kind == 2 ? largest_coordinate / 4 : smallest_coordinate;
        const double high = kind == 1 ? smallest_coordinate * 4 : largest_coordinate;
        for (Vec3d& q : p) {
            const auto draw = [&] {
                const double x = std::clamp(random.magnitude(low, high), low, high);
                return random.chance(0.1) ? 0 : random.chance(0.5) ? x : -x;
            };
            q = {draw(), draw(), draw()};
        }
        if (random.chance(0.3)) p[3] = p[0] + (p[1] - p[0]) * 0.5;
        tally.compare(p);
    }
    CHECK(tally.wrong == 0);
}
