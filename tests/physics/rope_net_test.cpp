// Ropes that are tied to each other hold what hangs on them, at default settings, and gain no energy.
#include <doctest/doctest.h>
#include <pliant/shapes.h>

#include <algorithm>
#include <cmath>

#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

struct Net {
    Description scene;

    std::uint32_t add_rope(Vec3 from, Vec3 to, int links, float mass, float sag = 0,
                           std::vector<std::uint32_t> pinned = {}) {
        Rope rope;
        rope.positions = *make_line(from, to, links);
        for (std::size_t i = 0; i < rope.positions.size(); ++i) {
            const float s = float(i) / float(links);
            rope.positions[i].y -= 4 * sag * s * (1 - s);
        }
        double total = 0;
        for (std::size_t i = 1; i < rope.positions.size(); ++i)
            total += distance(rope.positions[i - 1], rope.positions[i]);
        rope.material.linear_density = mass / float(total);
        return add(body_of(std::move(rope), {}, std::move(pinned)));
    }
    std::uint32_t add_weight(float mass, Vec3 at) {
        Body body = lone_particle(to_double(at));
        std::get<Particles>(body.shape).material.mass = mass;
        return add(std::move(body));
    }
    void tie(ParticleReference a, ParticleReference b) { scene.attachments.push_back({a, b, {}}); }
    Vec3 at(std::uint32_t rope, std::size_t node) const {
        return std::get<Rope>(scene.bodies[rope].shape).positions[node];
    }

private:
    std::uint32_t add(Body body) {
        body.contact.bodies = false;
        scene.bodies.push_back(std::move(body));
        return std::uint32_t(scene.bodies.size()) - 1;
    }
};

// Of the links of all ropes but those that a ring is on: its length has two pieces.
double worst_stretch(const Net& net, const Simulation& simulation) {
    double worst = 0;
    for (std::size_t b = 0; b < net.scene.bodies.size(); ++b) {
        const auto* rope = std::get_if<Rope>(&net.scene.bodies[b].shape);
        if (!rope) continue;
        const std::size_t first = simulation.view().bodies[b].first_particle;
        const auto at = [&](std::size_t i) { return simulation.view().positions[first + i]; };
        for (std::size_t i = 0; i + 1 < rope->positions.size(); ++i) {
            const double rest = distance(rope->positions[i], rope->positions[i + 1]);
            double shortest = distance(at(i), at(i + 1)) / rest - 1;
            if (!net.scene.rings.empty() && net.scene.rings[0].rope == b && shortest < 0) shortest = 0;
            worst = std::max(worst, std::abs(shortest));
        }
    }
    return worst;
}

struct Found {
    double worst = 0, energy = -1e30;
    Vec3 weight{};  // the last body
};
Found run_net(const Net& net, int frames) {
    Simulation simulation = start(net.scene);
    const double before = simulation.diagnostics().total_energy;
    Found found;
    for (int frame = 0; frame < frames; ++frame) {
        simulation.step();
        found.worst = std::max(found.worst, worst_stretch(net, simulation));
        found.energy = std::max(found.energy, simulation.diagnostics().total_energy - before);
    }
    found.weight = simulation.view().positions.back();
    CHECK(all_finite(simulation.view()));
    return found;
}

// A foot rope and two hand ropes of 2 kg each, 4 m wide, with eighteen stays.
Net bridge() {
    Net net;
    const std::uint32_t foot = net.add_rope({-2, 0, 0}, {2, 0, 0}, 40, 2, 0.3f, {0, 40});
    for (const float side : {-0.4f, 0.4f}) {
        const std::uint32_t hand = net.add_rope({-2, 1, side}, {2, 1, side}, 40, 2, 0.3f, {0, 40});
        for (std::uint32_t i = 4; i < 40; i += 4) {
            const std::uint32_t stay = net.add_rope(net.at(foot, i), net.at(hand, i), 6, 0.05f);
            net.tie({stay, 0}, {foot, i});
            net.tie({stay, 6}, {hand, i});
        }
    }
    return net;
}

}  // namespace

TEST_CASE("a weight on a rope that hangs from the middle of another stretches neither") {
    for (const float mass : {1.0f, 20.0f, 2000.0f}) {
        CAPTURE(mass);
        Net net;
        const std::uint32_t across = net.add_rope({-1, 0, 0}, {1, 0, 0}, 40, 0.2f, 0.2f, {0, 40});
        const std::uint32_t down = net.add_rope({0, -0.2f, 0}, {0, -1.2f, 0}, 20, 0.1f);
        const std::uint32_t weight = net.add_weight(mass, {0, -1.2f, 0});
        net.tie({down, 0}, {across, 20});
        net.tie({down, 20}, {weight, 0});
        const Found found = run_net(net, 240);
        CHECK(found.worst < 0.001);
        CHECK(found.energy < 1e-6 * double(mass));
        // Both halves of the rope above are straight: its length says how deep that is.
        double half = 0;
        for (std::size_t i = 0; i < 20; ++i) half += distance(net.at(across, i), net.at(across, i + 1));
        CHECK(double(found.weight.y) == doctest::Approx(-1 - std::sqrt(half * half - 1)).epsilon(0.01));
    }
}

TEST_CASE("a bridge of ropes of 2 kg carries 60 kg and 600, tied to it or sliding along") {
    for (const float mass : {60.0f, 600.0f}) {
        for (const bool slides : {false, true}) {
            CAPTURE(mass);
            CAPTURE(slides);
            Net net = bridge();
            const Vec3 at = slides ? (net.at(0, 10) + net.at(0, 11)) * 0.5f : net.at(0, 10);
            const std::uint32_t weight = net.add_weight(mass, at);
            if (slides) {
                net.scene.rings.push_back({{weight, 0}, 0});
            } else {
                net.tie({0, 10}, {weight, 0});
            }
            const Found found = run_net(net, 300);
            CHECK(found.worst < 0.01);
            CHECK(found.energy < 1e-6 * double(mass));
            CHECK(std::abs(double(found.weight.x)) < 2);
            CHECK(double(found.weight.y) > -0.5);
            CHECK(double(found.weight.y) < 0);
        }
    }
}

TEST_CASE("a net of sixteen ropes holds half a tonne") {
    Net net;
    constexpr std::uint32_t ropes = 8, links = 4 * (ropes - 1);
    const float width = 0.25f * float(ropes - 1);
    for (std::uint32_t i = 0; i < ropes; ++i) {
        const float at = 0.25f * float(i);
        const bool is_edge = i == 0 || i + 1 == ropes;
        const std::vector<std::uint32_t> corners =
            is_edge ? std::vector<std::uint32_t>{0, links} : std::vector<std::uint32_t>{};
        net.add_rope({0, 0, at}, {width, 0, at}, int(links), 0.05f, 0, corners);
        net.add_rope({at, 0, 0}, {at, 0, width}, int(links), 0.05f);
    }
    for (std::uint32_t i = 0; i < ropes; ++i) {
        for (std::uint32_t k = 0; k < ropes; ++k) net.tie({2 * i, 4 * k}, {2 * k + 1, 4 * i});
    }
    const std::uint32_t weight = net.add_weight(500, {0.75f, 0, 0.75f});
    net.tie({6, 12}, {weight, 0});
    const Found found = run_net(net, 120);
    CHECK(found.worst < 0.01);
    CHECK(found.energy < 1e-6 * 500);
}

TEST_CASE("a rope tied to itself is a noose that carries a weight") {
    // Down from a nail, around, and back to where the loop begins.
    Net net;
    Rope rope;
    for (int i = 0; i <= 20; ++i) rope.positions.push_back({0, -0.05f * float(i), 0});
    for (int i = 1; i <= 24; ++i) {
        const double angle = 2 * 3.14159265358979 * i / 24;
        rope.positions.push_back({float(0.2 * std::sin(angle)), float(-1.2 + 0.2 * std::cos(angle)), 0});
    }
    Body body = body_of(std::move(rope), {}, {0});
    body.contact.bodies = false;
    net.scene.bodies.push_back(std::move(body));
    const std::uint32_t weight = net.add_weight(50, {0, -1.4f, 0});
    net.tie({0, 44}, {0, 20});
    net.tie({0, 32}, {weight, 0});
    net.scene.settings.drag = 0.05f;
    const Found found = run_net(net, 240);
    CHECK(found.worst < 0.01);
    double loop = 0;
    for (std::size_t i = 20; i < 44; ++i) loop += distance(net.at(0, i), net.at(0, i + 1));
    CHECK(double(found.weight.y) == doctest::Approx(-1 - loop / 2).epsilon(0.005));
}

TEST_CASE("a net is restored, and runs the same on any number of threads") {
    Net net = bridge();
    const std::uint32_t weight = net.add_weight(60, net.at(0, 10));
    net.scene.rings.push_back({{weight, 0}, 0});
    Simulation one = start(net.scene), many = start(net.scene, on_threads(5));
    run(one, 40);
    run(many, 40);
    CHECK(one.state_hash() == many.state_hash());
    const auto half = one.save();
    run(one, 20);
    const auto straight = one.state_hash();
    run(one, 7);
    succeed(one.restore(half));
    run(one, 20);
    CHECK(one.state_hash() == straight);
}
