// Inequalities act only where C < 0, and only push: λ ≥ 0.
#include <doctest/doctest.h>

#include <cmath>

#include "support/single_projection.h"

using namespace pliant;
using namespace pliant::test;

namespace {

// Keeps two particles from coming closer than a distance.
struct AtLeast : kinds::Distance {
    static constexpr bool inequality = true;
};

SingleConstraint<AtLeast, double> pair_at(double distance) {
    SingleConstraint<AtLeast, double> pair;
    pair.state.x = {Vec3d{0, 0, 0}, Vec3d{distance, 0, 0}};
    pair.state.rest = {1};
    pair.w = {1, 1};
    return pair;
}

double gap(const SingleConstraint<AtLeast, double>& pair) { return norm(pair.state.x[0] - pair.state.x[1]); }

}  // namespace

TEST_CASE("an inequality pushes where C < 0, in every form") {
    const auto check = [](auto form) {
        auto pair = pair_at(0.7);
        pair.project<form()>(xpbd_softness(0.0));
        CHECK(gap(pair) == doctest::Approx(1));
        CHECK(pair.lambda > 0);
    };
    check(std::integral_constant<ProjectionForm, ProjectionForm::rigid>());
    check(std::integral_constant<ProjectionForm, ProjectionForm::single>());
    check(std::integral_constant<ProjectionForm, ProjectionForm::iterated>());
    check(std::integral_constant<ProjectionForm, ProjectionForm::damped>());
}

TEST_CASE("an inequality leaves alone what it allows, in every form") {
    const auto check = [](auto form) {
        auto pair = pair_at(1.3);
        pair.project<form()>(xpbd_softness(0.1));
        CHECK(gap(pair) == 1.3);
        CHECK(pair.lambda == 0);
    };
    check(std::integral_constant<ProjectionForm, ProjectionForm::rigid>());
    check(std::integral_constant<ProjectionForm, ProjectionForm::single>());
    check(std::integral_constant<ProjectionForm, ProjectionForm::iterated>());
    check(std::integral_constant<ProjectionForm, ProjectionForm::damped>());
}

TEST_CASE("an inequality takes back what it pushed too far in an earlier iteration, and no more") {
    auto pair = pair_at(0.7);
    pair.project<ProjectionForm::iterated>(xpbd_softness(0.0));
    const double pushed = pair.lambda;
    // Another constraint moves them further apart than the push did.
    pair.state.x[1].x += 0.5;
    pair.project<ProjectionForm::iterated>(xpbd_softness(0.0));
    CHECK(pair.lambda == doctest::Approx(0).epsilon(1e-12));
    CHECK(gap(pair) == doctest::Approx(1.5 - 2 * pushed));
    // And less far: the rest is an equality, as long as it pushes.
    pair = pair_at(0.7);
    pair.project<ProjectionForm::iterated>(xpbd_softness(0.0));
    pair.state.x[1].x += 0.1;
    pair.project<ProjectionForm::iterated>(xpbd_softness(0.0));
    CHECK(gap(pair) == doctest::Approx(1));
    CHECK(pair.lambda == doctest::Approx(pushed - 0.05));
}
