// Ropes and hair touch bodies, colliders and each other, under load too.
#include <doctest/doctest.h>
#include <pliant/shapes.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "support/simulations.h"

namespace pliant::test {
namespace {

constexpr double pi = std::numbers::pi;

Body rope_through(std::vector<Vec3> points, std::vector<std::uint32_t> pinned = {}) {
    Rope rope;
    rope.positions = std::move(points);
    return body_of(std::move(rope), {}, std::move(pinned));
}

Vec3d point(const View& view, std::uint32_t particle) { return to_double(view.positions[particle]); }

// Whether the segment a → b goes through the triangle.
bool goes_through(const Vec3d& a, const Vec3d& b, const Vec3d (&t)[3]) {
    const Vec3d n = cross(t[1] - t[0], t[2] - t[0]);
    const double begin = dot(n, a - t[0]), end = dot(n, b - t[0]);
    if (!(begin * end < 0)) return false;
    const Vec3d p = a + (b - a) * (begin / (begin - end));
    double sides[3];
    for (std::size_t k = 0; k < 3; ++k) sides[k] = dot(n, cross(t[(k + 1) % 3] - t[k], p - t[k]));
    return (sides[0] > 0 && sides[1] > 0 && sides[2] > 0) || (sides[0] < 0 && sides[1] < 0 && sides[2] < 0);
}

// Lines of a body that go through triangles of another.
int crossings(const View& view, std::size_t of_lines, std::size_t of_triangles) {
    const BodyView &ropes = view.bodies[of_lines], &surface = view.bodies[of_triangles];
    int count = 0;
    for (std::uint32_t l = ropes.first_line; l < ropes.first_line + ropes.line_count; ++l) {
        const Vec3d a = point(view, view.lines[l][0]), b = point(view, view.lines[l][1]);
        for (std::uint32_t i = 0; i < surface.triangle_count; ++i) {
            const Triangle& t = view.triangles[surface.first_triangle + i];
            count += goes_through(a, b, {point(view, t[0]), point(view, t[1]), point(view, t[2])});
        }
    }
    return count;
}

// The largest share by which a segment of any rope is longer or shorter than at the start.
class Stretch {
public:
    explicit Stretch(const View& view) {
        for (const Edge& line : view.lines) rests_.push_back(length(view, line));
    }
    double worst(const View& view) const {
        double worst = 0;
        for (std::size_t i = 0; i < rests_.size(); ++i)
            worst = std::max(worst, std::abs(length(view, view.lines[i]) / rests_[i] - 1));
        return worst;
    }

private:
    static double length(const View& view, const Edge& line) {
        return distance(view.positions[line[0]], view.positions[line[1]]);
    }
    std::vector<double> rests_;
};

// A particle of that mass, tied to one of a body.
void hang(Description& scene, std::uint32_t body, std::uint32_t particle, float mass) {
    const Vec3 at = std::get<Rope>(scene.bodies[body].shape).positions[particle];
    Body weight = lone_particle(to_double(at));
    std::get<Particles>(weight.shape).material.mass = mass;
    const std::uint32_t number = static_cast<std::uint32_t>(scene.bodies.size());
    scene.bodies.push_back(weight);
    scene.attachments.push_back({{body, particle}, ParticleReference{number, 0}, {}});
}

// A loop that hangs from two nails, and another that hangs on it, with a weight at each end.
Description two_loops(std::uint32_t links, float mass) {
    std::vector<Vec3> upper, lower;
    for (std::uint32_t i = 0; i <= links; ++i) {
        const double a = pi * i / links, c = 0.3 * std::cos(a), s = 0.3 * std::sin(a);
        upper.push_back(to_float(Vec3d{-c, -s, 0}));
        lower.push_back(to_float(Vec3d{0, s - 0.55, c}));
    }
    Description scene;
    scene.bodies.push_back(rope_through(upper, {0, links}));
    scene.bodies.push_back(rope_through(lower));
    if (mass > 0) {
        hang(scene, 1, 0, mass);
        hang(scene, 1, links, mass);
    }
    return scene;
}

// A rope of 1.2 m laid over a bar of 0.1 m, with a weight at each end.
Description over_a_bar(std::uint32_t links, float mass) {
    const double radius = 0.1, length = 1.2;
    std::vector<Vec3> points;
    for (std::uint32_t i = 0; i <= links; ++i) {
        const double s = (double(i) / links - 0.5) * length, a = s / radius, side = s < 0 ? -1 : 1;
        points.push_back(std::abs(a) <= pi / 2
                             ? to_float(Vec3d{0, radius * std::cos(a), radius * std::sin(a)})
                             : to_float(Vec3d{0, radius * pi / 2 - std::abs(s), side * radius}));
    }
    Description scene = scene_of(rope_through(points));
    if (mass > 0) {
        hang(scene, 0, 0, mass);
        hang(scene, 0, links, mass);
    }
    Collider bar;
    bar.shape = Capsule{{-0.3, 0, 0}, {0.3, 0, 0}, float(radius)};
    scene.colliders.push_back(bar);
    return scene;
}

}  // namespace

TEST_CASE("a rope laid over a soft box stays on it, and none of it goes inside") {
    Description scene = scene_of(soft_box(0.2f, 5, {0, 0.1, 0}));
    scene.bodies.push_back(rope_through(*make_line({-0.4f, 0.22f, 0.03f}, {0.4f, 0.22f, 0.03f}, 40)));
    scene.colliders.push_back({});
    scene.colliders[0].shape = Plane{};
    Simulation simulation = start(scene);
    const Stretch stretch(simulation.view());
    double worst = 0;
    for (int frame = 0; frame < 300; ++frame) {
        simulation.step();
        CAPTURE(frame);
        REQUIRE(crossings(simulation.view(), 1, 0) == 0);
        worst = std::max(worst, stretch.worst(simulation.view()));
    }
    CHECK(worst < 0.01);
    CHECK(stretch.worst(simulation.view()) < 0.01);
    const View view = simulation.view();
    const BodyView& rope = view.bodies[1];
    CHECK(view.positions[rope.first_particle + 20].y > 0.195f);
    double fastest = 0;
    for (std::uint32_t p = 0; p < rope.particle_count; ++p)
        fastest = std::max(fastest, length(view.velocities[rope.first_particle + p]));
    CHECK(fastest < 0.05);
}

TEST_CASE("a rope with weights hangs on another and neither stretches, passes or gains energy") {
    for (const std::uint32_t links : {20u, 40u}) {
        for (const float mass : {0.0f, 1.0f, 100.0f}) {
            CAPTURE(links);
            CAPTURE(mass);
            Simulation simulation = start(two_loops(links, mass));
            const Stretch stretch(simulation.view());
            const double before = simulation.diagnostics().total_energy;
            double worst = 0, highest = -1e30;
            for (int frame = 0; frame < 240; ++frame) {
                simulation.step();
                worst = std::max(worst, stretch.worst(simulation.view()));
                highest = std::max(highest, simulation.diagnostics().total_energy - before);
            }
            CHECK(worst < 0.005);
            CHECK(highest < 1e-3 * std::abs(before));
            const View view = simulation.view();
            double lowest = 0, held = -1;
            for (std::uint32_t i = 0; i <= links; ++i) {
                lowest = std::min(lowest, double(view.positions[i].y));
                held = std::max(held, double(view.positions[links + 1 + i].y));
            }
            CHECK(held > lowest);  // it still hangs there
            CHECK(held < lowest + 0.05);
        }
    }
}

TEST_CASE("a rope with weights over a bar holds its length and gains no energy") {
    for (const std::uint32_t links : {20u, 80u}) {
        for (const float mass : {0.1f, 1.0f, 100.0f}) {
            CAPTURE(links);
            CAPTURE(mass);
            Simulation simulation = start(over_a_bar(links, mass));
            const Stretch stretch(simulation.view());
            const double before = simulation.diagnostics().total_energy;
            double worst = 0, highest = -1e30;
            for (int frame = 0; frame < 120; ++frame) {
                simulation.step();
                worst = std::max(worst, stretch.worst(simulation.view()));
                highest = std::max(highest, simulation.diagnostics().total_energy - before);
            }
            CHECK(worst < 0.005);
            CHECK(highest < 1e-3 * std::abs(before));
            CHECK(simulation.view().positions[links / 2].y > 0.09f);
        }
    }
}

TEST_CASE("a rope that falls onto the ground keeps the length of its links") {
    for (const int links : {10, 40, 100}) {
        CAPTURE(links);
        Description scene = scene_of(rope_through(*make_line({0, 0.8f, 0}, {0.6f, 1.6f, 0}, links)));
        scene.colliders.push_back({});
        scene.colliders[0].shape = Plane{};
        Simulation simulation = start(scene);
        const Stretch stretch(simulation.view());
        const double before = simulation.diagnostics().total_energy;
        double worst = 0, highest = -1e30;
        for (int frame = 0; frame < 240; ++frame) {
            simulation.step();
            worst = std::max(worst, stretch.worst(simulation.view()));
            highest = std::max(highest, simulation.diagnostics().total_energy - before);
        }
        CHECK(worst < 0.01);
        CHECK(highest < 1e-3 * before);
    }
}

TEST_CASE("hair gives way to a soft ball that falls on it, and none of it is inside") {
    Hair hair;
    hair.points = 8;
    for (int i = 0; i < 8; ++i) {
        for (int k = 0; k < 8; ++k) {
            for (int p = 0; p < 8; ++p)
                hair.positions.push_back(
                    {0.03f * float(i) - 0.1f, 0.02f * float(p), 0.03f * float(k) - 0.1f});
        }
    }
    hair.material.bending = 1e-6f;
    Body body = body_of(std::move(hair));
    for (std::uint32_t s = 0; s < 64; ++s) {
        body.pinned.push_back(8 * s);
        body.pinned.push_back(8 * s + 1);
    }
    Description scene = scene_of(soft_box(0.12f, 4, {0, 0.25, 0}));
    scene.bodies.push_back(std::move(body));
    scene.colliders.push_back({});
    scene.colliders[0].shape = Plane{};
    Simulation simulation = start(scene);
    for (int frame = 0; frame < 120; ++frame) {
        simulation.step();
        CAPTURE(frame);
        REQUIRE(crossings(simulation.view(), 1, 0) == 0);
    }
    CHECK(all_finite(simulation.view()));
}

TEST_CASE("strands under load in contact are restored, and run the same on any number of threads") {
    Simulation one = start(two_loops(20, 1)), two = start(two_loops(20, 1), on_threads(3));
    run(one, 20);
    const auto saved = one.save();
    run(one, 20);
    const std::uint64_t hash = one.state_hash();
    run(two, 40);
    CHECK(two.state_hash() == hash);
    succeed(two.restore(saved));
    run(two, 20);
    CHECK(two.state_hash() == hash);
}

}  // namespace pliant::test
