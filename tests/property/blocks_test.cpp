// Every energy of an element against its own derivatives.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "base/geometry/polar_rotation.h"
#include "solvers/position_based/block_projection.h"
#include "support/constraint_states.h"

namespace pliant::test {
namespace {

using Matrix = Matrix3<double>;

template <class Kind>
struct Element {
    std::array<Vec3d, 4> x{};
    typename Kind::template Rest<double> rest{};
    typename Kind::template Material<double> material{0.3};

    auto evaluate() const { return Kind::template evaluate<double>(x.data(), rest, material); }
    double energy() const { return Kind::template energy<double>(x.data(), rest, material); }
    double row(std::size_t r) const {  // C of the row
        const auto e = evaluate();
        return e.values[r] / std::sqrt(e.squared_divisors[r]);
    }
};

// Exactly at rest, in double.
template <class Kind>
Element<Kind> at_rest(RandomSource& random, double size) {
    Element<Kind> element;
    constexpr Vec3d corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (std::size_t k = 0; k < 4; ++k) element.x[k] = (corners[k] + random.point(0.15)) * size;
    const auto& x = element.x;
    const Matrix edges{x[1] - x[0], x[2] - x[0], x[3] - x[0]}, cof = cofactor(edges);
    const double volume6 = dot(edges.x, cof.x);
    const Matrix b = cof * (1 / volume6);
    element.rest = {b.x, b.y, b.z, 6 / volume6, 0};
    return element;
}

template <class F>
void for_every_energy(F&& check) {
    ElementKinds::for_each([&]<class Kind>() {
        for (const double ratio : {0.0, 0.3, 0.45, -0.5}) {
            CAPTURE(std::string(Kind::name));
            CAPTURE(ratio);
            RandomSource random(7);
            check.template operator()<Kind>(random, ratio);
        }
    });
}

template <class Kind>
Element<Kind> deformed(RandomSource& random, double size, double poisson_ratio) {
    Element<Kind> element = at_rest<Kind>(random, size);
    element.material.poisson_ratio = poisson_ratio;
    for (Vec3d& p : element.x) p = p + random.point(0.3) * size;
    return element;
}

Matrix random_rotation(RandomSource& random) {
    const Vec3d v = random.point(1);
    const double w = random.real(0.1, 1), s = 2 / (dot(v, v) + w * w);
    const auto turned = [&](const Vec3d& a) { return a + (cross(v, a) * w + cross(v, cross(v, a))) * s; };
    return {turned({1, 0, 0}), turned({0, 1, 0}), turned({0, 0, 1})};
}

double difference(const Matrix& a, const Matrix& b) {
    const Matrix d = a - b;
    return std::sqrt(contract(d, d));
}

}  // namespace

TEST_CASE("the rows of an energy have the gradients that finite differences have") {
    for_every_energy([]<class Kind>(RandomSource& random, double ratio) {
        for (const double size : sizes) {
            const Element<Kind> element = deformed<Kind>(random, size, ratio);
            const auto e = element.evaluate();
            const double h = 1e-6 * size;
            for (std::size_t r = 0; r < Kind::rows; ++r) {
                const double q = std::sqrt(e.squared_divisors[r]);
                for (std::size_t k = 0; k < 4; ++k) {
                    for (double Vec3d::*axis : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
                        Element<Kind> ahead = element, behind = element;
                        ahead.x[k].*axis += h;
                        behind.x[k].*axis -= h;
                        const double slope = (ahead.row(r) - behind.row(r)) / (2 * h);
                        CHECK(std::fabs(e.gradients[r][k].*axis / q - slope) * size < 1e-5);
                    }
                }
            }
        }
    });
}

TEST_CASE("the force of an energy is the sum of its rows and the divergence of its stress") {
    for_every_energy([]<class Kind>(RandomSource& random, double ratio) {
        const Element<Kind> element = deformed<Kind>(random, 1, ratio);
        const auto e = element.evaluate();
        const auto ratios = Kind::ratios(element.material);
        const Matrix p = Kind::stress(Kind::gradient_of(element.x.data(), element.rest), element.material);
        const Vec3d b[4] = {-(element.rest.b1 + element.rest.b2 + element.rest.b3), element.rest.b1,
                            element.rest.b2, element.rest.b3};
        const double h = 1e-6, volume = 1 / element.rest.inverse_volume;
        for (std::size_t k = 0; k < 4; ++k) {
            Vec3d rows{};
            for (std::size_t r = 0; r < Kind::rows; ++r) {
                const double share = e.values[r] / e.squared_divisors[r] / ratios[r];
                rows = rows + e.gradients[r][k] * (share * volume);
            }
            const Vec3d force = p * b[k] * volume;
            CHECK(norm(rows - force) < 1e-9);
            for (double Vec3d::*axis : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
                Element<Kind> ahead = element, behind = element;
                ahead.x[k].*axis += h;
                behind.x[k].*axis -= h;
                CHECK(force.*axis ==
                      doctest::Approx((ahead.energy() - behind.energy()) / (2 * h)).epsilon(1e-5));
            }
        }
    });
}

TEST_CASE("near rest every energy with a rest shape is Hooke's law") {
    for_every_energy([]<class Kind>(RandomSource& random, double ratio) {
        if (std::string(Kind::name) == "dirichlet") return;
        const typename Kind::template Material<double> material{ratio};
        const Matrix one = diagonal(1.0);
        CHECK(Kind::energy_density(one, material) == doctest::Approx(0));
        CHECK(difference(Kind::stress(one, material), diagonal(0.0)) < 1e-6);
        // Per unit of E: σ = 2μ·ε + λ·tr(ε)·1.
        const double mu2 = 1 / (1 + ratio), lambda = ratio / ((1 + ratio) * (1 - 2 * ratio));
        for (int i = 0; i < 10; ++i) {
            const Matrix a{random.point(1e-5), random.point(1e-5), random.point(1e-5)};
            const Matrix transposed{{a.x.x, a.y.x, a.z.x}, {a.x.y, a.y.y, a.z.y}, {a.x.z, a.y.z, a.z.z}};
            const Matrix strain = (a + transposed) * 0.5;
            const Matrix hooke = strain * mu2 + diagonal(lambda * (a.x.x + a.y.y + a.z.z));
            CHECK(difference(Kind::stress(one + a, material), hooke) <
                  2e-3 * difference(hooke, diagonal(0.0)));
        }
    });
}

TEST_CASE("turning an element changes no energy") {
    for_every_energy([]<class Kind>(RandomSource& random, double ratio) {
        const Element<Kind> element = deformed<Kind>(random, 1, ratio);
        Element<Kind> turned = element;
        const Matrix r = random_rotation(random);
        for (Vec3d& p : turned.x) p = r * p + Vec3d{1, 2, 3};
        CHECK(turned.energy() == doctest::Approx(element.energy()).epsilon(1e-4));
    });
}

TEST_CASE("the polar rotation is a rotation, and next to F, also for an F that is inside out") {
    RandomSource random(11);
    double worst = 0, worst_inverted = 0;
    for (int i = 0; i < 1000; ++i) {
        const Matrix r = random_rotation(random), turn = random_rotation(random);
        // F = R·Q·diag·Qᵀ, maybe with the smallest value turned over: R is the rotation next to it, and the
        // only one as long as that value is smaller than the others.
        const bool is_inverted = i % 4 == 0;
        const auto stretch = [&] { return random.real(is_inverted ? 0.8 : 0.5, 1.5); };
        const Matrix d{{stretch(), 0, 0}, {0, stretch(), 0}, {0, 0, is_inverted ? -0.3 : stretch()}};
        const Matrix transposed{
            {turn.x.x, turn.y.x, turn.z.x}, {turn.x.y, turn.y.y, turn.z.y}, {turn.x.z, turn.y.z, turn.z.z}};
        const Matrix f = r * (turn * d * transposed);
        for (const double size : {1.0, 1e-12, 1e12}) {
            double& of_kind = is_inverted ? worst_inverted : worst;
            of_kind = std::max(of_kind, difference(polar_rotation(f * size), r));
        }
    }
    CHECK(worst < 2e-4);
    CHECK(worst_inverted < 5e-2);
    CHECK(difference(polar_rotation(diagonal(0.0)), diagonal(1.0)) == 0);
}

TEST_CASE("an element that is flat, a line or a point is moved by numbers only") {
    using solvers::position_based::Softness;
    BlockKinds::for_each([]<class Kind>() {
        CAPTURE(std::string(Kind::name));
        RandomSource random(3);
        for (const auto& sample : all_samples<Kind>(random)) {
            const auto f = to_float(sample);
            typename Kind::template Material<float> material = f.material;
            if constexpr (requires { material.poisson_ratio; }) material.poisson_ratio = 0.4f;
            const auto e = Kind::template evaluate<float>(f.x.data(), f.rest, material);
            const float w[4] = {1, 2, 3, 0};
            const Softness<float> softness{.compliance = 0,
                                           .compliance_per_measure = 1e-4f,
                                           .least_compliance = 5,
                                           .damping = 0,
                                           .scale = -1,
                                           .inverse_scale = -1};
            const auto t =
                solvers::position_based::block_step<Kind, solvers::position_based::ProjectionForm::single>(
                    e, w, f.rest, material, softness, {}, {});
            for (std::size_t r = 0; r < Kind::rows; ++r) {
                for (std::size_t k = 0; k < Kind::arity; ++k) {
                    const Vec3 move = e.gradients[r][k] * (t[r] * w[k]);
                    CHECK(std::isfinite(move.x + move.y + move.z));
                    CHECK(std::sqrt(dot(move, move)) < 1e3f * f.size);
                }
            }
        }
    });
}

}  // namespace pliant::test
