// Cloth holds its size, at any resolution: levels and tethers.
#include <doctest/doctest.h>

#include <algorithm>

#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

// A square of 1 m × 1 m, 2 m above the ground, of n × n squares.
Description square(std::uint32_t n) {
    Cloth cloth;
    for (std::uint32_t j = 0; j <= n; ++j) {
        for (std::uint32_t i = 0; i <= n; ++i)
            cloth.mesh.positions.push_back({float(i) / float(n) - 0.5f, 0, float(j) / float(n) - 0.5f});
    }
    for (std::uint32_t j = 0; j < n; ++j) {
        for (std::uint32_t i = 0; i < n; ++i) {
            const std::uint32_t a = j * (n + 1) + i, b = a + 1, c = a + n + 1, d = c + 1;
            if ((i + j) % 2 == 0) {
                cloth.mesh.triangles.push_back({a, c, b});
                cloth.mesh.triangles.push_back({b, c, d});
            } else {
                cloth.mesh.triangles.push_back({a, c, d});
                cloth.mesh.triangles.push_back({a, d, b});
            }
        }
    }
    Description description;
    description.bodies.push_back({.name = "cloth", .shape = std::move(cloth), .position = {0, 2, 0}});
    return description;
}

Description on_two_nails(std::uint32_t n) {
    Description description = square(n);
    description.bodies[0].pinned = {0, n};
    return description;
}

struct Stretch {
    double mean = 0, p99 = 0, worst = 0;  // of edges, over their rest length; shorter ones count as 0
};

class StretchMeter {
public:
    explicit StretchMeter(const Simulation& simulation) {
        const View view = simulation.view();
        edges_ = unique_edges(view.triangles);
        for (const Edge& e : edges_) rests_.push_back(distance(view.positions[e[0]], view.positions[e[1]]));
    }

    Stretch of(const View& view) const {
        std::vector<double> all;
        double sum = 0;
        for (std::size_t i = 0; i < edges_.size(); ++i) {
            const double length = distance(view.positions[edges_[i][0]], view.positions[edges_[i][1]]);
            all.push_back(std::max(length / rests_[i] - 1, 0.0));
            sum += all.back();
        }
        std::sort(all.begin(), all.end());
        return {sum / double(all.size()), all[all.size() * 99 / 100], all.back()};
    }

    // Of the worst frame.
    Stretch run(Simulation& simulation, int frames) const {
        Stretch worst;
        for (int i = 0; i < frames; ++i) {
            simulation.step();
            const Stretch now = of(simulation.view());
            worst = {std::max(worst.mean, now.mean), std::max(worst.p99, now.p99),
                     std::max(worst.worst, now.worst)};
        }
        return worst;
    }

private:
    std::vector<Edge> edges_;
    std::vector<double> rests_;
};

}  // namespace

TEST_CASE("cloth on two nails holds its size at rest, coarse or fine") {
    for (const std::uint32_t n : {20u, 100u}) {
        CAPTURE(n);
        Description scene = on_two_nails(n);
        scene.settings.drag = 0.05f;  // comes to rest
        Simulation simulation = start(scene);
        const StretchMeter meter(simulation);
        meter.run(simulation, 240);
        const Stretch rest = meter.run(simulation, 20);
        CHECK(rest.mean < 0.003);
        CHECK(rest.worst < 0.03);
    }
}

TEST_CASE("without levels fine cloth on two nails is rubber") {
    Description scene = on_two_nails(60);
    scene.settings.drag = 0.05f;
    scene.settings.levels = Levels::off;
    Simulation simulation = start(scene);
    const StretchMeter meter(simulation);
    meter.run(simulation, 240);
    CHECK(meter.run(simulation, 20).worst > 0.5);
}

TEST_CASE("cloth that falls from two nails holds its size in every frame") {
    Description scene = on_two_nails(40);
    Simulation simulation = start(scene);
    const StretchMeter meter(simulation);
    const double before = simulation.diagnostics().total_energy;
    const Stretch worst = meter.run(simulation, 240);
    CHECK(worst.p99 < 0.05);
    CHECK(worst.worst < 0.2);
    CHECK(simulation.diagnostics().total_energy < before);
}

TEST_CASE("weights of 5 kg in all, tied to the lower edge of 0.8 kg of cloth, do not lengthen it") {
    const std::uint32_t n = 100;
    Description scene = square(n);
    auto& cloth = std::get<Cloth>(scene.bodies[0].shape);
    for (Vec3& p : cloth.mesh.positions) p = p * 2.0f;
    Particles weights;
    weights.material.mass = 5;
    for (std::uint32_t i = 0; i <= n; ++i) {
        scene.bodies[0].pinned.push_back(i);
        weights.positions.push_back(cloth.mesh.positions[n * (n + 1) + i]);
        scene.attachments.push_back({.particle = {1, i}, .target = ParticleReference{0, n * (n + 1) + i}});
    }
    scene.bodies.push_back({.name = "weights", .shape = std::move(weights), .position = {0, 2, 0}});
    scene.settings.drag = 0.05f;
    Simulation simulation = start(scene);
    const StretchMeter meter(simulation);
    meter.run(simulation, 280);
    const Stretch rest = meter.run(simulation, 20);
    CHECK(rest.mean < 0.003);
    CHECK(rest.worst < 0.03);
}

TEST_CASE("a load of many times its weight does not lengthen cloth") {
    const std::uint32_t n = 60;
    Description scene = square(n);
    for (std::uint32_t i = 0; i <= n; ++i) scene.bodies[0].pinned.push_back(i);
    scene.settings.drag = 0.05f;
    Simulation simulation = start(scene);
    for (std::uint32_t i = 0; i <= n; ++i)
        succeed(simulation.set_force(n * (n + 1) + i, {0, -1.25f * 9.81f / float(n + 1), 0}));
    const StretchMeter meter(simulation);
    meter.run(simulation, 240);
    CHECK(meter.run(simulation, 20).mean < 0.003);
    float lowest = 2;
    for (const Vec3& p : simulation.view().positions) lowest = std::min(lowest, p.y);
    CHECK(lowest > 2 - 1.01f);
}

TEST_CASE("cloth in a hand hangs from it") {
    Simulation simulation = start(square(60));
    const StretchMeter meter(simulation);
    const Result<std::uint32_t> hand = simulation.grab({-0.5, 2, -0.5});
    REQUIRE(bool(hand));
    meter.run(simulation, 120);
    const Stretch held = meter.run(simulation, 60);
    CHECK(held.mean < 0.01);
    CHECK(held.worst < 0.4);  // of a hem that whips: 0.3
    succeed(simulation.release(*hand));
    run(simulation, 30);
    CHECK(all_finite(simulation.view()));
}

TEST_CASE("soft stretch stays soft") {
    // 1 N/m: less than the 8 N/m that a sweep over edges carries.
    Description scene = on_two_nails(30);
    std::get<Cloth>(scene.bodies[0].shape).material.stretch.compliance = 1;
    Simulation with = start(scene);
    scene.settings.levels = Levels::off;
    Simulation without = start(scene);
    run(with, 30);
    run(without, 30);
    CHECK(with.state_hash() == without.state_hash());
}

TEST_CASE("a square left alone does not start to turn") {
    Description scene = square(40);
    scene.settings.gravity = {};
    Simulation simulation = start(scene);
    const std::vector<Vec3> before(simulation.view().positions.begin(), simulation.view().positions.end());
    run(simulation, 300);
    double farthest = 0;
    for (std::size_t i = 0; i < before.size(); ++i)
        farthest = std::max(farthest, distance(before[i], simulation.view().positions[i]));
    CHECK(farthest < 1e-4);
}

TEST_CASE("levels of cloth have the same bits on any threads and lanes") {
    Description scene = on_two_nails(60);
    scene.attachments.push_back({.particle = {0, 61 * 61 - 1}, .target = Vec3d{0.4, 2.2, 0.4}});
    scene.colliders.push_back({.shape = Sphere{{0, 1.7, 0}, 0.2f}});
    std::uint64_t expected = 0;
    for (const std::string_view target : available_targets()) {
        for (const int threads : {1, 3}) {
            Execution execution = on_threads(threads);
            execution.target = target;
            Simulation simulation = start(scene, execution);
            run(simulation, 20);
            if (expected == 0) expected = simulation.state_hash();
            CAPTURE(target);
            CAPTURE(threads);
            CHECK(simulation.state_hash() == expected);
        }
    }
}

TEST_CASE("save and restore carry over what holds cloth") {
    Simulation simulation = start(square(30));
    const Result<std::uint32_t> hand = simulation.grab({0.5, 2, 0.5});
    REQUIRE(bool(hand));
    run(simulation, 10);
    const auto saved = simulation.save();
    run(simulation, 20);
    const std::uint64_t expected = simulation.state_hash();
    succeed(simulation.release(*hand));
    run(simulation, 5);
    succeed(simulation.restore(saved));
    run(simulation, 20);
    CHECK(simulation.state_hash() == expected);
}
