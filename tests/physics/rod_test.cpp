// Rods at default settings, against closed forms: Euler and Bernoulli, Euler's column, the coil spring,
// torsion.
#include <doctest/doctest.h>
#include <pliant/shapes.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

constexpr double gravity = 9.81, pi = std::numbers::pi;

Settings settled_by(float drag, Vec3 g = {0, -9.81f, 0}) {
    Settings settings;
    settings.drag = drag;
    settings.gravity = g;
    return settings;
}

// The first two particles are pinned: clamped in the middle of the first segment.
Body clamped(std::vector<Vec3> positions, const RopeMaterial& material) {
    Rope rope;
    rope.positions = std::move(positions);
    rope.material = material;
    return body_of(std::move(rope), {}, {0, 1});
}

RopeMaterial stiff(float bending, float twisting = 0, float linear_density = 0.1f) {
    RopeMaterial material;
    material.bending = bending;
    material.twisting = twisting;
    material.linear_density = linear_density;
    return material;
}

void add_weight(Description& scene, float mass) {
    const Rope& rope = std::get<Rope>(scene.bodies[0].shape);
    const std::uint32_t last = static_cast<std::uint32_t>(rope.positions.size()) - 1;
    Body weight = lone_particle(to_double(rope.positions[last]));
    std::get<Particles>(weight.shape).material.mass = mass;
    scene.bodies.push_back(weight);
    scene.attachments.push_back({{0, last}, ParticleReference{1, 0}, {}});
}

Vec3 last_of(const Simulation& simulation) {
    return simulation.view().positions[simulation.view().bodies[0].particle_count - 1];
}

}  // namespace

TEST_CASE("a clamped rod of 5 to 80 segments sags by q·L⁴/8B, soft and stiff") {
    for (const int segments : {5, 10, 20, 40, 80}) {
        for (const float bending : {3.0f, 300.0f}) {
            CAPTURE(segments);
            CAPTURE(bending);
            Simulation simulation = start(scene_of(
                clamped(*make_line({0, 0, 0}, {1, 0, 0}, segments), stiff(bending)), settled_by(0.2f)));
            run(simulation, 200);
            const double q = 0.1 * gravity, sag = -double(last_of(simulation).y);
            // What a chain of N free segments of length l has exactly: l⁴(N²(N + 1)² + N²/2)/8. The beam is
            // clamped in the middle of the first segment.
            const double free = segments - 1;
            const double exact = q * free * free * ((free + 1) * (free + 1) + 0.5) / std::pow(segments, 4) /
                                 (8 * double(bending));
            CHECK(relative_error(sag, exact) < 0.003);
            const double beam = q * std::pow(1 - 0.5 / segments, 4) / (8 * double(bending));
            CHECK(relative_error(sag, beam) < 0.01);
        }
    }
}

TEST_CASE("a clamped rod swings with the frequency of a beam") {
    for (const int segments : {10, 20, 40}) {
        CAPTURE(segments);
        Simulation simulation =
            start(scene_of(clamped(*make_line({0, 0, 0}, {1, 0, 0}, segments), stiff(1)), settled_by(0, {})));
        for (std::uint32_t i = 2; i <= std::uint32_t(segments); ++i) {
            const float share = static_cast<float>(i) / static_cast<float>(segments);
            succeed(simulation.set_velocity(i, {0, 0.1f * share * share, 0}));
        }
        double first = 0, last = 0;
        int crossings = 0;
        for (int frame = 0; frame < 300; ++frame) {
            const double before = last_of(simulation).y;
            simulation.step();
            const double after = last_of(simulation).y;
            if (!(before < 0 && after >= 0)) continue;
            last = (frame + before / (before - after)) / 60;
            if (crossings++ == 0) first = last;
        }
        REQUIRE(crossings > 4);
        const double length = 1 - 0.5 / segments;
        const double expected = 3.5160 / (2 * pi) * std::sqrt(1 / (0.1 * std::pow(length, 4)));
        CHECK(relative_error((crossings - 1) / (last - first), expected) < 0.01);
    }
}

TEST_CASE("a column buckles under π²B/4L², and not under 5 % less") {
    const auto tip_after = [](int segments, double share) {
        const double length = 1 - 0.5 / segments, load = share * pi * pi / (4 * length * length);
        Description scene = scene_of(clamped(*make_line({0, 0, 0}, {0, 1, 0}, segments), stiff(1, 0, 0.001f)),
                                     settled_by(0.02f));
        add_weight(scene, static_cast<float>(load / gravity));
        Simulation simulation = start(scene);
        succeed(simulation.set_velocity(std::uint32_t(segments) + 1, {0.01f, 0, 0}));
        run(simulation, 1200);
        return std::abs(double(last_of(simulation).x));
    };
    for (const int segments : {10, 40}) {
        CAPTURE(segments);
        CHECK(tip_after(segments, 0.95) < 0.001);
        CHECK(tip_after(segments, 1.05) > 0.1);
    }
}

TEST_CASE("a coil spring of steel keeps its shape and stretches by 8·F·D³·n/G·d⁴") {
    const double diameter = 0.05, wire = 0.003, shear = 8e10, density = 7800;
    constexpr int turns = 10, per_turn = 24;
    std::vector<Vec3> coil = *make_helix(float(diameter / 2), -0.06f, turns, turns * per_turn);
    const Vec3 end = coil.back();
    // A hook to the middle, where the weight hangs.
    for (int i = 3; i >= 0; --i) coil.push_back({end.x * float(i) / 4, end.y, end.z * float(i) / 4});
    RopeMaterial steel;
    steel.radius = static_cast<float>(wire / 2);
    steel.young_modulus = 2.1e11f;
    steel.shear_modulus = static_cast<float>(shear);
    const double per_length = density * pi * wire * wire / 4;
    steel.linear_density = static_cast<float>(per_length);

    Simulation floating = start(scene_of(clamped(coil, steel), settled_by(0, {})));
    run(floating, 120);
    double worst = 0;
    for (std::size_t i = 0; i < coil.size(); ++i)
        worst = std::max(worst, distance(floating.view().positions[i], coil[i]));
    CHECK(worst < 1e-4 * 0.06);

    const float mass = 2;
    Description scene = scene_of(clamped(coil, steel), settled_by(0.2f));
    add_weight(scene, mass);
    Simulation simulation = start(scene);
    run(simulation, 300);
    const double rate = shear * std::pow(wire, 4) / (8 * std::pow(diameter, 3) * turns);
    const double own = per_length * pi * diameter * turns;
    const double stretch = double(coil.back().y) - double(last_of(simulation).y);
    CHECK(relative_error(stretch, (double(mass) + own / 2) * gravity / rate) < 0.03);
}

TEST_CASE("a shaft twists by T·L/GJ") {
    // Along x, with an arm of 10 cm along z that carries a weight.
    constexpr int segments = 40;
    const double twisting = 0.01;
    std::vector<Vec3> crank = *make_line({0, 0, 0}, {1, 0, 0}, segments);
    for (int i = 1; i <= 4; ++i) crank.push_back({1, 0, 0.025f * float(i)});
    Description scene = scene_of(clamped(crank, stiff(100, float(twisting), 0.001f)), settled_by(0.2f));
    add_weight(scene, 0.002f);
    Simulation simulation = start(scene);
    run(simulation, 400);
    const double sag = double(simulation.view().positions[segments].y) - double(last_of(simulation).y);
    const double angle = std::asin(sag / 0.1);
    const double torque = gravity * (0.002 * 0.1 + 1e-4 * 0.05) * std::cos(angle);
    // As many joints twist as lie between the clamped segment and the corner.
    CHECK(relative_error(angle, torque * (segments - 1.0) / segments / twisting) < 0.01);
}

TEST_CASE("twist is uniform along a shaft, with segments of equal and unequal length") {
    for (const float shorter : {0.02f, 0.01f}) {
        CAPTURE(shorter);
        std::vector<Vec3> crank{{0, 0, 0}};
        constexpr std::uint32_t segments = 50;
        for (std::uint32_t i = 0; i < segments; ++i)
            crank.push_back({crank.back().x + (i % 2 == 0 ? shorter : 0.04f - shorter), 0, 0});
        for (int i = 1; i <= 4; ++i) crank.push_back({1, 0, 0.025f * float(i)});
        Description scene = scene_of(clamped(crank, stiff(100, 0.003f, 0.001f)), settled_by(0.2f));
        add_weight(scene, 0.002f);
        Simulation simulation = start(scene);
        run(simulation, 400);
        const View view = simulation.view();
        const auto angle_at = [&](std::uint32_t segment) {
            const Vec3d a = to_double(view.line_normals[0]), b = to_double(view.line_normals[segment]);
            return std::atan2(cross(a, b).x, dot(a, b)) * 180 / pi;
        };
        const auto middle = [&](std::uint32_t segment) {
            return (double(crank[segment].x) + double(crank[segment + 1].x)) / 2;
        };
        const double from = middle(0), whole = angle_at(segments - 1), size = middle(segments - 1) - from;
        CHECK(whole > 25);
        for (std::uint32_t i = 1; i < segments; ++i)
            CHECK(std::abs(angle_at(i) - whole * (middle(i) - from) / size) < 0.1);
    }
}

TEST_CASE("a free rod keeps its momentum while it bends") {
    Rope rope;
    rope.positions = *make_line({0, 0, 0}, {1, 0, 0}, 20);
    rope.material = stiff(1);
    Settings settings = settled_by(0, {});
    Body body = body_of(std::move(rope));
    body.velocity = {1, 0.5f, 0};
    Simulation simulation = start(scene_of(std::move(body), settings));
    for (std::uint32_t i = 0; i < 21; ++i)
        succeed(simulation.set_velocity(i, {1, i % 3 == 0 ? 1.0f : 0.0f, i > 10 ? 0.5f : -0.5f}));
    const auto momentum = [&] { return simulation.diagnostics().momentum; };
    const Vec3d before = momentum();
    double worst = 0;
    for (int frame = 0; frame < 300; ++frame) {
        simulation.step();
        worst = std::max(worst, length(momentum() - before) / length(before));
    }
    CHECK(worst < 1e-6);
}

TEST_CASE("an arc with clamped ends stays in its plane with one turn of twist, and leaves it with three") {
    // An arc of 2 rad of a material that is straight at rest.
    const auto out_of_plane = [](float turns) {
        constexpr int segments = 60;
        Rope rope;
        for (int i = 0; i <= segments; ++i) {
            const double angle = 2.0 * i / segments - 1;
            rope.positions.push_back(
                {static_cast<float>(0.5 * std::sin(angle)), static_cast<float>(0.5 * std::cos(angle)), 0});
        }
        rope.material = stiff(0.01f, 0.0075f, 0.01f);
        rope.material.curl = 0;
        rope.material.twist = turns;
        Body body = body_of(std::move(rope), {}, {0, 1, segments - 1, segments});
        Simulation simulation = start(scene_of(std::move(body), settled_by(0.02f, {})));
        succeed(simulation.set_velocity(30, {0, 0, 0.06f}));
        run(simulation, 300);
        CHECK(all_finite(simulation.view()));
        double worst = 0;
        for (const Vec3& p : simulation.view().positions) worst = std::max(worst, std::abs(double(p.z)));
        return worst;
    };
    CHECK(out_of_plane(0) < 1e-4);
    CHECK(out_of_plane(1) < 1e-4);
    CHECK(out_of_plane(3) > 0.05);
    CHECK(relative_error(out_of_plane(-3), out_of_plane(3)) < 0.01);  // the mirror image
}

TEST_CASE("bad rods are errors that name the field") {
    const auto error_of = [](const RopeMaterial& material) {
        const auto made =
            Simulation::create(scene_of(clamped(*make_line({0, 0, 0}, {1, 0, 0}, 4), material)));
        return made ? std::string() : made.error().text();
    };
    RopeMaterial material;
    material.young_modulus = 1e9f;
    CHECK(error_of(material).find("/radius") != std::string::npos);
    material.radius = 0.01f;
    CHECK(error_of(material).empty());
    material.bending = 1;
    CHECK(error_of(material).find("/bending") != std::string::npos);
    material = stiff(0, 1);
    CHECK(error_of(material).find("/bending") != std::string::npos);
    material = {};
    material.shear_modulus = 1e9f;
    CHECK(error_of(material).find("/young_modulus") != std::string::npos);
    material.young_modulus = -1;
    CHECK(error_of(material).find("young_modulus") != std::string::npos);
    material.young_modulus = std::numeric_limits<float>::quiet_NaN();
    CHECK(error_of(material).find("young_modulus") != std::string::npos);
}
