// What one projection of a single constraint must do, for every kind.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <type_traits>

#include "support/single_projection.h"

using namespace pliant;
using namespace pliant::test;

namespace {

// A well shaped state whose rest differs from its own by the share δ.
template <class Kind>
Sample<Kind> strained(RandomSource& random, double size, double share) {
    Sample<Kind> sample = well_shaped<Kind>(random, size);
    set_rest_from(sample, sample);
    sample.for_each_rest([&](double& field) { field *= 1 + share; });
    // This one has no value at rest to be off from; it is so in a plane.
    if constexpr (std::is_same_v<Kind, kinds::Isometric>) {
        sample.x[3] = sample.x[0] - (sample.x[2] - sample.x[0]) + random.point(share) * size;
        set_rest_from(sample, sample);
    }
    return sample;
}

template <class F>
void for_every_kind_and_size(F&& check) {
    ScalarKinds::for_each([&]<class Kind>() {
        for (const double size : sizes) {
            CAPTURE(std::string(Kind::name));
            CAPTURE(size);
            RandomSource random(5);
            for (int i = 0; i < 50; ++i) check.template operator()<Kind>(random, size);
        }
    });
}

template <class Kind, class T>
bool same_bits(const std::array<Vector3<T>, Kind::arity>& a, const std::array<Vector3<T>, Kind::arity>& b) {
    return std::memcmp(a.data(), b.data(), sizeof(a)) == 0;
}

template <class Kind, class T>
void check_stays(const SingleConstraint<Kind, T>& constraint) {
    for (const T compliance : {T(0), T(0.01)}) {
        const auto check = [&](auto form) {
            SingleConstraint<Kind, T> projected = constraint;
            projected.template project<form()>(xpbd_softness(compliance, T(2)));
            CHECK(same_bits<Kind, T>(projected.state.x, constraint.state.x));
            CHECK(std::isfinite(projected.lambda));
        };
        check(std::integral_constant<ProjectionForm, ProjectionForm::rigid>());
        check(std::integral_constant<ProjectionForm, ProjectionForm::single>());
        check(std::integral_constant<ProjectionForm, ProjectionForm::iterated>());
        check(std::integral_constant<ProjectionForm, ProjectionForm::damped_once>());
        check(std::integral_constant<ProjectionForm, ProjectionForm::damped>());
    }
}

}  // namespace

TEST_CASE("one rigid projection of any kind removes a small error to first order") {
    for_every_kind_and_size([]<class Kind>(RandomSource& random, double size) {
        double left[2] = {};
        const std::uint64_t seed = random.bits();
        for (int i = 0; i < 2; ++i) {
            RandomSource same(seed);
            auto constraint = with_random_masses(strained<Kind>(same, size, i == 0 ? 1e-3 : 1e-4), same);
            const double before = std::fabs(constraint.state.evaluate().value);
            REQUIRE(before > 0);
            constraint.template project<ProjectionForm::rigid>(xpbd_softness(0.0));
            left[i] = std::fabs(constraint.state.evaluate().value) / before;
        }
        CHECK(left[0] < 0.02);
        CHECK(left[1] < 0.15 * left[0] + 1e-9);  // a tenth of the error leaves a tenth of the share
    });
}

TEST_CASE("a projection of any kind leaves the centre of mass where it is") {
    for_every_kind_and_size([]<class Kind>(RandomSource& random, double size) {
        auto constraint = with_random_masses(strained<Kind>(random, size, 0.3), random);
        const auto before = constraint.state.x;
        constraint.template project<ProjectionForm::rigid>(xpbd_softness(0.0));
        Vec3d drift;
        double moved = 0, coordinates = 0;
        for (std::size_t k = 0; k < Kind::arity; ++k) {
            const Vec3d step = (constraint.state.x[k] - before[k]) * (1 / constraint.w[k]);
            drift = drift + step;
            moved += norm(step);
            coordinates += norm(before[k]) / constraint.w[k];
        }
        CHECK(moved > 1e-6 * size);
        CHECK(norm(drift) <= 1e-14 * (moved + coordinates));
    });
}

TEST_CASE("where all particles are pinned a projection of any kind moves nothing") {
    for_every_kind_and_size([]<class Kind>(RandomSource& random, double size) {
        const auto sample = strained<Kind>(random, size, 0.3);
        check_stays(SingleConstraint<Kind, double>{sample});
        check_stays(SingleConstraint<Kind, float>{to_float(sample)});
    });
}

TEST_CASE("where there is no gradient a projection of any kind moves nothing") {
    for_every_kind_and_size([]<class Kind>(RandomSource& random, double size) {
        auto sample = strained<Kind>(random, size, 0.3);
        for (Vec3d& p : sample.x) p = sample.x[0];
        check_stays(with_random_masses(sample, random));
        check_stays(with_random_masses(to_float(sample), random));
    });
}

TEST_CASE("a pinned particle stays while the others take the whole correction") {
    for_every_kind_and_size([]<class Kind>(RandomSource& random, double size) {
        auto constraint = with_random_masses(strained<Kind>(random, size, 1e-4), random);
        const std::size_t pinned = random.below(Kind::arity);
        constraint.w[pinned] = 0;
        const auto before = constraint.state;
        constraint.template project<ProjectionForm::rigid>(xpbd_softness(0.0));
        CHECK(constraint.state.x[pinned] == before.x[pinned]);
        CHECK(std::fabs(constraint.state.evaluate().value) <= 0.02 * std::fabs(before.evaluate().value));
    });
}

TEST_CASE("projections in float and in double agree to the precision of float") {
    for_every_kind_and_size([]<class Kind>(RandomSource& random, double size) {
        const Sample<Kind, float> sample = to_float(strained<Kind>(random, size, 0.2));
        RandomSource same = random;
        auto rough = with_random_masses(sample, random);
        auto exact = with_random_masses(to_double(sample), same);
        for (std::size_t k = 0; k < Kind::arity; ++k) exact.w[k] = rough.w[k];

        const auto e = exact.state.evaluate();
        const auto f = rough.state.evaluate();
        const double measure = std::fabs(measure_of(exact.state)) + std::fabs(e.value);
        CHECK(std::fabs(f.value - e.value) <= 2e-6 * measure);

        const double compliance = 0.1 * exact.gradient_square();
        rough.template project<ProjectionForm::iterated>(xpbd_softness(static_cast<float>(compliance)));
        exact.template project<ProjectionForm::iterated>(xpbd_softness(compliance));
        for (std::size_t k = 0; k < Kind::arity; ++k) {
            const Vec3 p = rough.state.x[k];
            CHECK(norm(Vec3d{p.x, p.y, p.z} - exact.state.x[k]) <= 2e-6 * size);
        }
        CHECK(std::fabs(rough.lambda - exact.lambda) <= 1e-5 * std::fabs(exact.lambda));
    });
}

TEST_CASE("iterated projections of any kind converge to C = −α̃·λ") {
    for_every_kind_and_size([]<class Kind>(RandomSource& random, double size) {
        const Sample<Kind> sample = strained<Kind>(random, size, 0.1);
        for (const double softness : {0.01, 1.0, 100.0}) {  // compliance over Σ wᵢ|∇ᵢC|²
            auto exact = with_random_masses(sample, random);
            const double compliance = softness * exact.gradient_square();
            const double before = std::fabs(sample.evaluate().value);
            for (int i = 0; i < 60; ++i)
                exact.template project<ProjectionForm::iterated>(xpbd_softness(compliance));
            const double value = exact.state.evaluate().value;
            CHECK(std::fabs(value + compliance * exact.lambda) <= 1e-9 * before);
            // The softer, the more of the error stays: 1 − 1/(1 + softness) of it, about.
            CHECK(std::fabs(value) <= before);
            CHECK(std::fabs(value) / before == doctest::Approx(softness / (1 + softness)).epsilon(0.5));

            SingleConstraint<Kind, float> rough{to_float(sample)};
            for (std::size_t k = 0; k < Kind::arity; ++k) rough.w[k] = static_cast<float>(exact.w[k]);
            for (int i = 0; i < 60; ++i)
                rough.template project<ProjectionForm::iterated>(
                    xpbd_softness(static_cast<float>(compliance)));
            CHECK(std::fabs(rough.state.evaluate().value + static_cast<float>(compliance) * rough.lambda) <=
                  1e-5 * (std::fabs(measure_of(sample)) + before));
        }
    });
}

TEST_CASE("iterated damped projections of any kind converge to C + γ·Ċ = −α̃·λ") {
    for_every_kind_and_size([]<class Kind>(RandomSource& random, double size) {
        auto constraint = with_random_masses(strained<Kind>(random, size, 0.1), random);
        const double compliance = 0.3 * constraint.gradient_square(), damping = 2;
        const double before = std::fabs(constraint.state.evaluate().value);
        for (int i = 0; i < 200; ++i)
            constraint.template project<ProjectionForm::damped>(xpbd_softness(compliance, damping));
        const auto e = constraint.state.evaluate();
        const double rate = constraint.rate(e) / e.divisor;
        CHECK(std::fabs(e.value + damping * rate + compliance * constraint.lambda) <= 1e-6 * before);
    });
}

TEST_CASE("a share of −β scales the step of any kind by β") {
    for_every_kind_and_size([]<class Kind>(RandomSource& random, double size) {
        const auto start = with_random_masses(strained<Kind>(random, size, 0.1), random);
        Softness<double> quarter = xpbd_softness(0.0);
        quarter.scale = -0.25;
        quarter.inverse_scale = -4;
        auto whole = start, part = start;
        whole.template project<ProjectionForm::single>(xpbd_softness(0.0));
        part.template project<ProjectionForm::single>(quarter);
        for (std::size_t k = 0; k < Kind::arity; ++k) {
            const Vec3d full = whole.state.x[k] - start.state.x[k],
                        of_it = part.state.x[k] - start.state.x[k];
            CHECK(norm(full * 0.25 - of_it) <= 1e-14 * size);
        }
    });
}

TEST_CASE("without compliance, damping and softness all forms of the rule are one") {
    for_every_kind_and_size([]<class Kind>(RandomSource& random, double size) {
        const auto start = with_random_masses(strained<Kind>(random, size, 0.1), random);
        auto rigid = start, single = start, iterated = start, damped = start;
        rigid.template project<ProjectionForm::rigid>(xpbd_softness(0.0));
        single.template project<ProjectionForm::single>(xpbd_softness(0.0));
        iterated.template project<ProjectionForm::iterated>(xpbd_softness(0.0));
        damped.template project<ProjectionForm::damped>(xpbd_softness(0.0));
        for (std::size_t k = 0; k < Kind::arity; ++k) {
            CHECK(norm(rigid.state.x[k] - single.state.x[k]) <= 1e-15 * size);
            CHECK(norm(rigid.state.x[k] - iterated.state.x[k]) <= 1e-15 * size);
            CHECK(norm(rigid.state.x[k] - damped.state.x[k]) <= 1e-15 * size);
        }
    });
}
