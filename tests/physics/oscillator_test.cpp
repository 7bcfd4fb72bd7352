// One link between a pinned and a free particle: every law has a closed form.
#include <doctest/doctest.h>

#include <complex>

#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

Settings weightless(int substeps, int iterations) {
    Settings settings = with_substeps(substeps, iterations);
    settings.gravity = {};
    return settings;
}

double x_of(const Simulation& simulation) { return simulation.view().positions[1].x; }

}  // namespace

TEST_CASE("the XPBD oscillator is x = 1 + Re(zⁿ)/2 at 1, 5 and 100 iterations") {
    // Implicit Euler of C'' = −ω²·C: zⁿ with z = 1/(1 − iωh).
    for (const int iterations : {1, 5, 100}) {
        CAPTURE(iterations);
        const Settings settings = weightless(1, iterations);
        Simulation simulation =
            start(scene_of(tethered_particle({1.5f, 0, 0}, 1, compliant(0.001f)), settings));
        const double h = substep_of(settings), omega = std::sqrt(1 / double(0.001f));
        const std::complex<double> z = 1.0 / std::complex<double>(1, -omega * h);
        std::complex<double> power = 1;
        double worst = 0;
        for (int n = 1; n <= 60; ++n) {
            simulation.step();
            power *= z;
            worst = std::max(worst, std::abs(x_of(simulation) - (1 + 0.5 * power.real())));
        }
        CHECK(worst < 1e-6);
        CHECK(simulation.view().positions[1].y == 0);
    }
}

TEST_CASE("a damped oscillator follows the recurrence of its rule") {
    // Δλ = −(C + γ·(x* − p)) / ((1 + γ)·w + α̃) at the predicted x*, w = 1.
    for (const double compliance : {0.0, 0.001}) {
        for (const double retardation : {0.002, 0.02, 0.5}) {
            CAPTURE(compliance);
            CAPTURE(retardation);
            const Settings settings = weightless(10, 1);
            Simulation simulation = start(
                scene_of(tethered_particle({1.5f, 0, 0}, 1, compliant(float(compliance), float(retardation))),
                         settings));
            const double h = substep_of(settings);
            const double alpha = double(float(compliance)) / (h * h), gamma = double(float(retardation)) / h;
            double x = 1.5, v = 0, worst = 0;
            for (int n = 0; n < 60; ++n) {
                for (int substep = 0; substep < 10; ++substep) {
                    const double p = x;
                    x += h * v;
                    x -= (x - 1 + gamma * (x - p)) / (1 + gamma + alpha);
                    v = (x - p) / h;
                }
                simulation.step();
                worst = std::max(worst, std::abs(x_of(simulation) - x));
            }
            CHECK(worst < 1e-5);
        }
    }
}

TEST_CASE("damping is the same at any number of iterations") {
    const auto after = [](int iterations) {
        Simulation simulation = start(scene_of(tethered_particle({1.5f, 0, 0}, 1, compliant(0.001f, 0.01f)),
                                               weightless(5, iterations)));
        run(simulation, 7);
        return x_of(simulation);
    };
    const double one = after(1);
    CHECK(std::abs(after(2) - one) < 1e-6);
    CHECK(std::abs(after(20) - one) < 1e-6);
}

TEST_CASE("a loaded spring stretches by α·m·g at any number of substeps and iterations") {
    const float compliance = 0.002f, mass = 3;
    const double expected = double(compliance) * mass * double(9.81f);
    for (const int substeps : {1, 4, 20, 80, 160}) {
        for (const int iterations : {1, 3, 10}) {
            CAPTURE(substeps);
            CAPTURE(iterations);
            Simulation simulation =
                start(scene_of(tethered_particle({0, -1, 0}, 1, compliant(compliance, 0.1f), mass),
                               with_substeps(substeps, iterations)));
            run(simulation, 200);
            // Each substep's push of h²·g meets positions that are rounded by up to 2⁻²⁴ m.
            const double h = substep_of(simulation.settings());
            const double stretch = -1.0 - simulation.view().positions[1].y;
            CHECK(relative_error(stretch, expected) < 0x1p-24 / (h * h * double(9.81f)) + 4e-6);
        }
    }
}

TEST_CASE("PBD leaves the share 1 − k of an error at any number of iterations") {
    for (const float k : {0.0f, 0.1f, 0.5f, 0.9f, 1.0f}) {
        for (const int iterations : {1, 2, 5, 20}) {
            CAPTURE(k);
            CAPTURE(iterations);
            Settings settings = weightless(1, iterations);
            settings.method = Method::pbd;
            Elasticity link;
            link.stiffness = k;
            Simulation simulation = start(scene_of(tethered_particle({1.5f, 0, 0}, 1, link), settings));
            simulation.step();
            CHECK(x_of(simulation) == doctest::Approx(1 + 0.5 * (1 - double(k))).epsilon(1e-6));
        }
    }
}

TEST_CASE("PBD ignores compliance and damping, XPBD ignores stiffness") {
    Elasticity link = compliant(0.01f, 0.3f);
    link.stiffness = 1;
    Settings settings = weightless(1, 3);
    settings.method = Method::pbd;
    Simulation pbd = start(scene_of(tethered_particle({1.5f, 0, 0}, 1, link), settings));
    pbd.step();
    CHECK(x_of(pbd) == doctest::Approx(1).epsilon(1e-6));

    link = compliant(0.01f);
    settings.method = Method::xpbd;
    Simulation stiff = start(scene_of(tethered_particle({1.5f, 0, 0}, 1, link), settings));
    link.stiffness = 0.1f;
    Simulation soft = start(scene_of(tethered_particle({1.5f, 0, 0}, 1, link), settings));
    run(stiff, 10);
    run(soft, 10);
    CHECK(stiff.state_hash() == soft.state_hash());
}

TEST_CASE("a rigid link moves its ends in inverse proportion to their masses") {
    // Regression: the formula A += |A − B|/(2l)·(B − A) of one source is not the projection.
    Particles particles;
    particles.positions = {{0, 0, 0}, {1.5f, 0, 0}};
    particles.masses = {1, 4};
    particles.links = {{0, 1, 1.0f}};
    Simulation simulation = start(scene_of(body_of(std::move(particles)), weightless(1, 1)));
    simulation.step();
    CHECK(simulation.view().positions[0].x == doctest::Approx(0.4).epsilon(1e-6));
    CHECK(simulation.view().positions[1].x == doctest::Approx(1.4).epsilon(1e-6));
}

TEST_CASE("zero-length and pinned links leave their particles alone") {
    Particles particles;
    particles.positions = {{0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {3, 0, 0}};
    particles.links = {{0, 1, 1.0f}, {2, 3, 1.0f}};
    Simulation simulation = start(scene_of(body_of(std::move(particles), {}, {2, 3}), weightless(2, 2)));
    run(simulation, 3);
    CHECK(simulation.view().positions[0] == Vec3{0, 0, 0});
    CHECK(simulation.view().positions[1] == Vec3{0, 0, 0});
    CHECK(simulation.view().positions[2] == Vec3{1, 0, 0});
    CHECK(simulation.view().positions[3] == Vec3{3, 0, 0});
}
