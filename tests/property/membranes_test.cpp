// Every membrane of a triangle against its own derivatives, and near rest against Hooke's law in a plane.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "solvers/position_based/block_projection.h"
#include "support/constraint_states.h"

namespace pliant::test {
namespace {

template <class Kind>
using Membrane = Sample<Kind>;

template <class Kind>
void set_ratio(Membrane<Kind>& membrane, double ratio) {
    if constexpr (requires { membrane.material.poisson_ratio; }) membrane.material.poisson_ratio = ratio;
    if constexpr (requires { membrane.material.weft_ratio; }) {
        membrane.material.weft_ratio = 2.5;
        membrane.material.shear_ratio = 7;
        membrane.material.strain_limit = 0;
    }
}

// A triangle in space, at rest in double.
template <class Kind>
Membrane<Kind> at_rest(RandomSource& random, double size, double ratio) {
    Membrane<Kind> membrane;
    constexpr Vec3d corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    for (std::size_t k = 0; k < 3; ++k) membrane.x[k] = (corners[k] + random.point(0.15)) * size;
    membrane.size = size;
    set_rest_from(membrane, membrane);
    set_ratio(membrane, ratio);
    return membrane;
}

template <class Kind>
double energy_of(const Membrane<Kind>& m) {
    return Kind::template energy<double>(m.x.data(), m.rest, m.material);
}

template <class Kind>
double row_of(const Membrane<Kind>& m, std::size_t r) {
    const auto e = m.evaluate();
    return e.values[r] / std::sqrt(e.squared_divisors[r]);
}

template <class F>
void for_every_membrane(F&& check) {
    MembraneKinds::for_each([&]<class Kind>() {
        for (const double ratio : {0.0, 0.3, 0.45, -0.5}) {
            CAPTURE(std::string(Kind::name));
            CAPTURE(ratio);
            RandomSource random(7);
            check.template operator()<Kind>(random, ratio);
        }
    });
}

// The change of a function of the membrane along coordinate `axis` of particle k.
template <class Kind, class F>
double slope_of(const Membrane<Kind>& membrane, std::size_t k, double Vec3d::*axis, F&& f) {
    const double h = 1e-6 * membrane.size;
    Membrane<Kind> ahead = membrane, behind = membrane;
    ahead.x[k].*axis += h;
    behind.x[k].*axis -= h;
    return (f(ahead) - f(behind)) / (2 * h);
}

}  // namespace

TEST_CASE("the rows of a membrane have the gradients that finite differences have") {
    for_every_membrane([]<class Kind>(RandomSource& random, double ratio) {
        for (const double size : sizes) {
            Membrane<Kind> membrane = at_rest<Kind>(random, size, ratio);
            for (Vec3d& p : membrane.x) p = p + random.point(0.3) * size;
            const auto e = membrane.evaluate();
            for (std::size_t r = 0; r < Kind::rows; ++r) {
                for (std::size_t k = 0; k < 3; ++k) {
                    for (double Vec3d::*axis : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
                        const double slope =
                            slope_of(membrane, k, axis, [&](const auto& m) { return row_of<Kind>(m, r); });
                        const double gradient = e.gradients[r][k].*axis / std::sqrt(e.squared_divisors[r]);
                        CHECK(std::fabs(gradient - slope) * size < 1e-5);
                    }
                }
            }
        }
    });
}

TEST_CASE("a free membrane that is projected softly moves along the force of its energy") {
    using namespace solvers::position_based;
    for_every_membrane([]<class Kind>(RandomSource& random, double ratio) {
        Membrane<Kind> membrane = at_rest<Kind>(random, 1, ratio);
        for (Vec3d& p : membrane.x) p = p + random.point(0.2);
        // So soft that the mass term does not matter: Δx = −w·∂Ψ/∂x/c, of which w = 1 is left.
        const double compliance = 1e9;
        const Softness<double> softness{.compliance = 0,
                                        .compliance_per_measure = compliance,
                                        .least_compliance = 0,
                                        .damping = 0,
                                        .scale = -1,
                                        .inverse_scale = -1};
        const double w[3] = {1, 1, 1};
        const auto e = membrane.evaluate();
        const auto t = block_step<Kind, ProjectionForm::single>(e, w, membrane.rest, membrane.material,
                                                                softness, {}, {});
        for (std::size_t k = 0; k < 3; ++k) {
            Vec3d move{};
            for (std::size_t r = 0; r < Kind::rows; ++r) move = move + e.gradients[r][k] * t[r];
            for (double Vec3d::*axis : {&Vec3d::x, &Vec3d::y, &Vec3d::z}) {
                const double force = slope_of(membrane, k, axis, energy_of<Kind>);
                CHECK(move.*axis * compliance == doctest::Approx(-force).epsilon(1e-4));
            }
        }
    });
}

TEST_CASE("near rest isotropic membranes are Hooke's law of a plane") {
    const auto check = []<class Kind>(RandomSource& random, double nu) {
        Membrane<Kind> membrane = at_rest<Kind>(random, 1, nu);
        const auto rest = membrane;
        const Vec3d d1 = rest.x[1] - rest.x[0], d2 = rest.x[2] - rest.x[0], across = cross(d1, d2);
        const Vec3d u = d1 * (1 / norm(d1)), n = across * (1 / norm(across)), v = cross(n, u);
        // Strains (uu, vv, 2·uv) of a thousandth; Ψ per area and Y = ½(2μ|ε|² + λ·tr²).
        for (const auto& [uu, vv, uv] : {std::array{1e-4, 0.0, 0.0}, {0.0, 1e-4, 0.0}, {1e-4, 5e-5, 8e-5}}) {
            for (std::size_t k = 0; k < 3; ++k) {
                const Vec3d from = rest.x[k] - rest.x[0];
                const double a = dot(from, u), b = dot(from, v);
                membrane.x[k] = rest.x[k] + u * (a * uu + b * uv / 2) + v * (b * vv + a * uv / 2);
            }
            const double square = uu * uu + vv * vv + uv * uv / 2, trace = uu + vv;
            const double expected =
                0.5 * (square / (1 + nu) + nu / (1 - nu * nu) * trace * trace) * norm(across) / 2;
            CHECK(energy_of<Kind>(membrane) == doctest::Approx(expected).epsilon(2e-3));
        }
    };
    for (const double nu : {0.0, 0.3, 0.45, -0.5}) {
        CAPTURE(nu);
        RandomSource random(3);
        check.template operator()<kinds::StVKMembrane>(random, nu);
        check.template operator()<kinds::ArapMembrane>(random, nu);
    }
}

TEST_CASE("woven cloth gives way by 1/Y along warp and weft and by 1/G in shear") {
    using Kind = kinds::OrthotropicMembrane;
    RandomSource random(5);
    Membrane<Kind> membrane = at_rest<Kind>(random, 1, 0.2);
    const auto rest = membrane;
    const Vec3d warp = random.point(1);
    const auto values = to_array<Kind>(Kind::rest_of(rest.x.data(), warp));
    membrane.rest = make_rest<Kind, double>([&](std::size_t i) { return double(values[i]); });
    const Vec3d across = cross(rest.x[1] - rest.x[0], rest.x[2] - rest.x[0]);
    const Vec3d n = across * (1 / norm(across)), along = warp - n * dot(n, warp);
    const Vec3d u = along * (1 / norm(along)), v = cross(n, u);
    const auto strained = [&](double uu, double vv, double uv) {
        for (std::size_t k = 0; k < 3; ++k) {
            const Vec3d from = rest.x[k] - rest.x[0];
            const double a = dot(from, u), b = dot(from, v);
            membrane.x[k] = rest.x[k] + u * (a * uu + b * uv / 2) + v * (b * vv + a * uv / 2);
        }
        return energy_of<Kind>(membrane) / (norm(across) / 2);
    };
    // Pulled along one way, with the narrowing that leaves no stress across: ½·Y·ε² with Y_u = 1.
    const double e = 1e-4, nu = 0.2, weft = 1 / membrane.material.weft_ratio;
    CHECK(strained(e, -nu * e, 0) == doctest::Approx(e * e / 2).epsilon(2e-3));
    CHECK(strained(-nu * weft * e, e, 0) == doctest::Approx(weft * e * e / 2).epsilon(2e-3));
    CHECK(strained(0, 0, e) == doctest::Approx(e * e / 2 / membrane.material.shear_ratio).epsilon(2e-3));
}

TEST_CASE("turning a membrane changes no energy") {
    for_every_membrane([]<class Kind>(RandomSource& random, double ratio) {
        Membrane<Kind> membrane = at_rest<Kind>(random, 1, ratio);
        for (Vec3d& p : membrane.x) p = p + random.point(0.3);
        const double before = energy_of<Kind>(membrane);
        const Vec3d q = random.point(1);
        const double w = random.real(0.1, 1), s = 2 / (dot(q, q) + w * w);
        for (Vec3d& p : membrane.x) p = p + (cross(q, p) * w + cross(q, cross(q, p))) * s + Vec3d{1, 2, 3};
        CHECK(energy_of<Kind>(membrane) == doctest::Approx(before).epsilon(1e-9));
    });
}

TEST_CASE("a strain limit leaves no more strain than it says, and none changes nothing below it") {
    using Kind = kinds::OrthotropicMembrane;
    using namespace solvers::position_based;
    const Softness<double> softness{.compliance = 0,
                                    .compliance_per_measure = 1e3,
                                    .least_compliance = 0,
                                    .damping = 0,
                                    .scale = -1,
                                    .inverse_scale = -1};
    for (const double stretch : {1.02, 1.2}) {
        std::array<double, 2> left{};
        for (std::size_t i = 0; i < 2; ++i) {
            Membrane<Kind> membrane;
            membrane.x = {Vec3d{0, 0, 0}, Vec3d{1, 0, 0}, Vec3d{0, 1, 0}};
            set_rest_from(membrane, membrane);
            membrane.material = {1, 2, 0, i == 0 ? 0.0 : 0.05};
            membrane.x[1].x = stretch;
            const double w[3] = {1, 1, 1};
            for (int repeat = 0; repeat < 4; ++repeat) {
                const auto e = membrane.evaluate();
                const auto t = block_step<Kind, ProjectionForm::single>(e, w, membrane.rest,
                                                                        membrane.material, softness, {}, {});
                for (std::size_t k = 0; k < 3; ++k) {
                    for (std::size_t r = 0; r < Kind::rows; ++r)
                        membrane.x[k] = membrane.x[k] + e.gradients[r][k] * t[r];
                }
            }
            left[i] = norm(membrane.x[1] - membrane.x[0]) - 1;
        }
        if (stretch < 1.05) {
            CHECK(left[0] == left[1]);
        } else {
            CHECK(left[0] > 0.18);
            CHECK(left[1] < 0.06);
        }
    }
}

}  // namespace pliant::test
