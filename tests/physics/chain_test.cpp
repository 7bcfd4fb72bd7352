// Ropes at rest against statics: elongation, and the shape in which they hang.
#include <pliant/shapes.h>

#include <doctest/doctest.h>

#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

// A chain of n links of length l with equal masses at its inner points, held at both ends, `span` apart:
// link i pulls with the force (H, (i − (n − 1)/2)·m·g), so its direction is known once H is. The result
// depends on η = H/(m·g) alone, which the span determines.
std::vector<Vec3d> hanging_chain(int n, double l, double span) {
    const auto link = [&](double eta, int i) {
        const double v = i - (n - 1) / 2.0, s = l / std::sqrt(eta * eta + v * v);
        return Vec3d{eta * s, v * s, 0};
    };
    double low = 1e-6, high = 1e6;
    for (int k = 0; k < 200; ++k) {
        const double eta = std::sqrt(low * high);
        double width = 0;
        for (int i = 0; i < n; ++i) width += link(eta, i).x;
        (width < span ? low : high) = eta;
    }
    std::vector<Vec3d> points{{0, 0, 0}};
    for (int i = 0; i < n; ++i) points.push_back(points.back() + link(low, i));
    return points;
}

// Sag of a catenary of the same length and span: y = a·cosh(x/a), length = 2a·sinh(span/2a).
double catenary_sag(double rope, double span) {
    double low = 1e-3, high = 1e3;
    for (int k = 0; k < 200; ++k) {
        const double a = std::sqrt(low * high);
        (2 * a * std::sinh(span / (2 * a)) > rope ? low : high) = a;
    }
    return low * (std::cosh(span / (2 * low)) - 1);
}

// A vertical rope of 1 m, pinned at its upper end, whose bouncing is damped away.
Description hanging_rope(int links, float density, float strain) {
    Rope shape;
    shape.positions = *make_line({0, 0, 0}, {0, -1, 0}, links);
    shape.material.linear_density = density;
    shape.material.stretch = compliant(strain);
    Settings settings = with_substeps(40, 4);
    settings.damping = 0.2f;
    return scene_of(body_of(std::move(shape), {}, {0}), settings);
}

}  // namespace

TEST_CASE("a rope held at both ends hangs in a catenary") {
    for (const int links : {10, 20, 40}) {
        CAPTURE(links);
        // Starts as a V of two straight halves, 1.5 m long in all, with its ends 1 m apart.
        const double span = 1, rope = 1.5, depth = std::sqrt(rope * rope - span * span) / 2;
        Rope shape;
        for (int i = 0; i <= links; ++i) {
            const double s = 2.0 * i / links;
            shape.positions.push_back({float(s * span / 2), float(-depth * (s < 1 ? s : 2 - s)), 0});
        }
        Settings settings = with_substeps(2 * links);  // a sweep has to reach along the chain
        settings.damping = 0.3f;
        Description scene = scene_of(body_of(shape, {}, {0, std::uint32_t(links)}), settings);
        Simulation simulation = start(scene);
        run(simulation, 600);

        const std::vector<Vec3d> expected = hanging_chain(links, rope / links, span);
        double worst = 0;
        for (int i = 0; i <= links; ++i) {
            const std::size_t k = std::size_t(i);
            worst = std::max(worst, length(to_double(simulation.view().positions[k]) - expected[k]));
        }
        CHECK(worst < 0.0005 * rope);
        // A chain's sag nears the catenary's with the square of the number of links.
        const double sag = -simulation.view().positions[std::size_t(links) / 2].y;
        CHECK(relative_error(sag, catenary_sag(rope, span)) < 1.0 / (links * links) + 0.001);
    }
}

TEST_CASE("a rope hangs by the same elongation however many links it has") {
    // Length L, density μ, load M at the end, strain c per newton: c·(M + μL/2)·g·L; cut into n links, the
    // half link that hangs on the pinned point carries nothing, and the sum is exactly the same.
    const float rope = 1, density = 2, strain = 0.005f;
    const double load = 0.2, g = 9.81f;
    const double expected = double(strain) * (load + double(density) * rope / 2) * g * rope;
    for (const int links : {10, 20, 40, 80}) {
        CAPTURE(links);
        Simulation simulation = start(hanging_rope(links, density, strain));
        const std::uint32_t end = std::uint32_t(links);
        succeed(simulation.set_force(end, {0, float(-load * g), 0}));
        run(simulation, 600);
        const double elongation = -rope - double(simulation.view().positions[end].y);
        CHECK(relative_error(elongation, expected) < 0.003);
    }
}

TEST_CASE("each link of a rope carries the weight below it") {
    // Elongation of link i: c·l·(sum of what hangs below)·g.
    const int links = 20;
    const float strain = 0.01f;
    Simulation simulation = start(hanging_rope(links, 2, strain));
    run(simulation, 600);
    const double l = 1.0 / links, g = 9.81f;
    double worst = 0;
    for (int i = 0; i < links; ++i) {
        const std::size_t k = std::size_t(i);
        const double below = 2 * l * (links - i - 0.5);
        const double stretch =
            distance(simulation.view().positions[k], simulation.view().positions[k + 1]) - l;
        worst = std::max(worst, std::abs(stretch - double(strain) * l * below * g));
    }
    CHECK(worst < 0.005 * double(strain) * l * 2 * g);
}
