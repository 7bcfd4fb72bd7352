// Solids of a given Young's modulus give way as the closed forms say, at any resolution, at default settings.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "support/simulations.h"

namespace pliant::test {
namespace {

SoftBody block(int layers, float young_modulus) {
    SoftBody body;
    body.mesh = *make_box({0.5f, 1, 0.5f}, {layers / 2, layers, layers / 2});
    body.material.young_modulus = young_modulus;
    body.material.poisson_ratio = 0.3f;
    return body;
}

struct Standing {
    double sag = 0;              // m, of the mean height of what was on top
    std::uint64_t inverted = 0;  // the most at one time
};

Standing let_stand(SoftBody body, int frames) {
    const std::vector<Vec3> rest = body.mesh.positions;
    float low = rest[0].y, high = rest[0].y;
    for (const Vec3& p : rest) low = std::min(low, p.y), high = std::max(high, p.y);
    Description scene = scene_of(body_of(std::move(body), {0, -double(low), 0}));
    scene.colliders.push_back({Plane{}});
    scene.settings.damping = 0.1f;
    Simulation simulation = start(scene);
    Standing standing;
    for (int frame = 0; frame < frames; ++frame) {
        simulation.step();
        standing.inverted = std::max(standing.inverted, simulation.diagnostics().inverted_tetrahedra);
    }
    double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
        if (rest[i].y < high - 1e-4f) continue;
        sum += high - low - simulation.view().positions[i].y;
        ++count;
    }
    standing.sag = sum / count;
    return standing;
}

double true_sag(double young_modulus) { return 1000 * 9.81 / (2 * young_modulus); }

// A slab of n × n × n/4 cells on four legs that are one cell thick.
TetrahedralMesh slab_on_legs(int n, int leg) {
    TetrahedralMesh mesh;
    std::map<std::array<int, 3>, std::uint32_t> index;
    const float cell = 1.0f / static_cast<float>(n);
    const auto point = [&](int i, int j, int k) {
        const auto [at, is_new] =
            index.try_emplace({i, j, k}, static_cast<std::uint32_t>(mesh.positions.size()));
        if (is_new) {
            mesh.positions.push_back(
                {static_cast<float>(i) * cell, static_cast<float>(j) * cell, static_cast<float>(k) * cell});
        }
        return at->second;
    };
    const auto add_cell = [&](int i, int j, int k) {
        // The six tetrahedra along the diagonal from corner 0 to corner 7; every other one is mirrored.
        constexpr int ways[6][2] = {{1, 3}, {2, 6}, {4, 5}, {1, 5}, {2, 3}, {4, 6}};
        for (int way = 0; way < 6; ++way) {
            const auto corner = [&](int c) { return point(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2)); };
            Tetrahedron t{corner(0), corner(ways[way][0]), corner(ways[way][1]), corner(7)};
            if (way >= 3) std::swap(t[1], t[2]);
            mesh.tetrahedra.push_back(t);
        }
    };
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < n; ++k) {
            const bool is_corner = (i == 0 || i == n - 1) && (k == 0 || k == n - 1);
            for (int j = is_corner ? 0 : leg; j < leg + n / 4; ++j) add_cell(i, j, k);
        }
    }
    return mesh;
}

}  // namespace

TEST_CASE("a block on the floor sags by ρgL²/2E, at 3e5 and 3e6 Pa") {
    for (const float young_modulus : {3e5f, 3e6f}) {
        CAPTURE(young_modulus);
        const Standing standing = let_stand(block(16, young_modulus), 240);
        CHECK(standing.sag / true_sag(young_modulus) > 0.9);
        CHECK(standing.sag / true_sag(young_modulus) < 1.1);
        CHECK(standing.inverted == 0);
    }
    CHECK(let_stand(block(16, 3e7f), 120).sag / true_sag(3e7) < 1.5);
}

TEST_CASE("a block that is softer than asked says how soft it is, and how many substeps carry it") {
    const double ratio = let_stand(block(16, 3e8f), 60).sag / true_sag(3e8);
    Simulation simulation = start(scene_of(body_of(block(16, 3e8f))));
    const std::vector<Stiffness> stiffness = simulation.stiffness();
    REQUIRE(stiffness.size() == 1);
    CHECK(relative_error(stiffness[0].asked, 3e8) < 1e-6);
    CHECK(ratio > 2);
    CHECK(relative_error(stiffness[0].asked / stiffness[0].carried, ratio) < 0.25);

    Settings settings = simulation.settings();
    settings.substeps = stiffness[0].substeps;
    succeed(simulation.configure(settings));
    CHECK(simulation.stiffness()[0].carried > 0.9 * stiffness[0].asked);
    CHECK(simulation.stiffness()[0].substeps == settings.substeps);
    settings.substeps -= 1;
    succeed(simulation.configure(settings));
    CHECK(simulation.stiffness()[0].carried < 0.9 * stiffness[0].asked);

    // Without the level, the elements are all there is.
    settings.levels = Levels::off;
    succeed(simulation.configure(settings));
    CHECK(simulation.stiffness()[0].carried < 0.1 * stiffness[0].asked);
}

TEST_CASE("a block of 32 layers sags as one of 16 does") {
    const Standing standing = let_stand(block(32, 3e6f), 60);
    CHECK(standing.sag / true_sag(3e6) > 0.9);
    CHECK(standing.sag / true_sag(3e6) < 1.1);
    CHECK(standing.inverted == 0);
}

TEST_CASE("longer run: blocks of 32 and 64 layers, at 3e5, 3e6 and 3e7 Pa" * doctest::skip()) {
    for (const int layers : {32, 64}) {
        for (const float young_modulus : {3e5f, 3e6f, 3e7f}) {
            CAPTURE(layers);
            CAPTURE(young_modulus);
            const Standing standing = let_stand(block(layers, young_modulus), layers == 64 ? 90 : 200);
            const double ratio = standing.sag / true_sag(young_modulus);
            const double most = young_modulus < 1e7f ? 1.1 : layers == 32 ? 3 : 10;
            CHECK(ratio > 0.9);
            CHECK(ratio < most);
            CHECK(standing.inverted == 0);
        }
    }
}

TEST_CASE("a slab on thin legs stands, and nothing is ever inverted") {
    for (const int leg : {3, 6}) {
        for (const float young_modulus : {3e6f, 3e7f}) {
            // Euler: legs of 6 cells buckle below about 7e6 Pa.
            if (leg == 6 && young_modulus < 1e7f) continue;
            CAPTURE(leg);
            CAPTURE(young_modulus);
            SoftBody slab;
            slab.mesh = slab_on_legs(16, leg);
            slab.material.young_modulus = young_modulus;
            slab.material.poisson_ratio = 0.3f;
            const double height = (leg + 4) / 16.0;
            const Standing standing = let_stand(std::move(slab), 150);
            CHECK(standing.inverted == 0);
            // At 3e6 Pa, legs give way by 5 % of their length, and the slab bends.
            CHECK(1 - standing.sag / height > (young_modulus < 1e7f ? 0.95 : 0.97));
        }
    }
}

}  // namespace pliant::test
