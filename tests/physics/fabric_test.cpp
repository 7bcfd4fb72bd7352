// Cloth as a material: stiffness in N/m and N·m against closed forms, at any resolution.
#include <doctest/doctest.h>
#include <pliant/presets.h>

#include <algorithm>
#include <cmath>

#include "support/random_source.h"
#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

// width × length, n × rows squares; the length runs along −y, or flat along x. Irregular: inner points but
// those of the second row lie anywhere near, and diagonals run either way.
TriangleMesh strip(std::uint32_t n, std::uint32_t rows, double width, double length, bool is_irregular,
                   bool is_flat) {
    TriangleMesh mesh;
    RandomSource random(5);
    const double dx = width / n, dy = length / rows;
    for (std::uint32_t j = 0; j <= rows; ++j) {
        for (std::uint32_t i = 0; i <= n; ++i) {
            double x = i * dx, y = j * dy;
            if (is_irregular && i > 0 && i < n && j > 1 && j < rows) {
                x += random.real(-0.25, 0.25) * dx;
                y += random.real(-0.25, 0.25) * dy;
            }
            mesh.positions.push_back(is_flat ? Vec3{float(y), 0, float(x)} : Vec3{float(x), float(-y), 0});
        }
    }
    for (std::uint32_t j = 0; j < rows; ++j) {
        for (std::uint32_t i = 0; i < n; ++i) {
            const std::uint32_t a = j * (n + 1) + i, b = a + 1, c = a + n + 1, d = c + 1;
            if (is_irregular ? random.chance(0.5) : (i + j) % 2 == 0) {
                mesh.triangles.push_back({a, c, b});
                mesh.triangles.push_back({b, c, d});
            } else {
                mesh.triangles.push_back({a, c, d});
                mesh.triangles.push_back({a, d, b});
            }
        }
    }
    return mesh;
}

struct Pulled {
    MembraneModel model = MembraneModel::orthotropic;
    float warp = 5, weft = 0;
    Vec3 warp_direction{0, 1, 0};
    bool is_irregular = false;
};

// How much longer a square of 1 m becomes, over its length, pulled by so many newtons.
double elongation(std::uint32_t n, const Pulled& pulled, double force) {
    Cloth cloth;
    cloth.mesh = strip(n, n, 1, 1, pulled.is_irregular, false);
    cloth.material.membrane.model = pulled.model;
    cloth.material.membrane.warp = pulled.warp;
    cloth.material.membrane.weft = pulled.weft;
    cloth.material.membrane.poisson_ratio = 0;
    cloth.material.warp_direction = pulled.warp_direction;
    cloth.material.bending.compliance = 1e9f;
    Description scene;
    scene.settings.gravity = {};
    scene.settings.drag = 0.03f;
    scene.bodies.push_back({.name = "strip", .shape = std::move(cloth)});
    for (std::uint32_t i = 0; i <= n; ++i) scene.bodies[0].pinned.push_back(i);
    Simulation simulation = start(scene);
    const std::uint32_t last = n * (n + 1);
    for (std::uint32_t i = 0; i <= n; ++i) {
        const double share = force / n * (i == 0 || i == n ? 0.5 : 1.0);
        succeed(simulation.set_force(last + i, {0, static_cast<float>(-share), 0}));
    }
    run(simulation, 300);
    double sum = 0;
    for (std::uint32_t i = 0; i <= n; ++i) sum -= double(simulation.view().positions[last + i].y);
    return sum / (n + 1) - 1;
}

struct Bent {
    BendingModel model = BendingModel::isometric;
    bool is_irregular = true;
};

// The sag of a clamped strip of 1 m, half as wide, over qL⁴/8B; its clamp is in the middle of the first two
// rows, which are held. B is such that 2 % of the length are due.
double sag(std::uint32_t n, const Bent& bent) {
    const std::uint32_t rows = 2 * n;
    const double gravity = 0.02, load = 0.2 * gravity, stiffness = load / (8 * 0.02);
    Cloth cloth;
    cloth.mesh = strip(n, rows, 0.5, 1, bent.is_irregular, true);
    cloth.material.membrane.model = MembraneModel::orthotropic;
    cloth.material.membrane.warp = 2000;
    cloth.material.membrane.poisson_ratio = 0;
    cloth.material.bending.model = bent.model;
    cloth.material.bending.warp = static_cast<float>(stiffness);
    Description scene;
    scene.settings.gravity = {0, static_cast<float>(-gravity), 0};
    scene.settings.drag = 0.01f;
    scene.settings.contact_quality = ContactQuality::off;
    scene.bodies.push_back({.name = "strip", .shape = std::move(cloth)});
    for (std::uint32_t i = 0; i < 2 * (n + 1); ++i) scene.bodies[0].pinned.push_back(i);
    Simulation simulation = start(scene);
    run(simulation, 1500);
    double sum = 0;
    for (std::uint32_t i = 0; i <= n; ++i) sum -= double(simulation.view().positions[rows * (n + 1) + i].y);
    const double length = 1 - 0.5 / rows;
    return sum / (n + 1) / (load * std::pow(length, 4) / (8 * stiffness));
}

// Two triangles in a valley of so many radians, of 1 m.
Cloth valley(double angle) {
    Cloth cloth;
    const double rise = angle / 2;
    const auto side = [&](double sign) {
        return Vec3{static_cast<float>(sign * std::cos(rise)), static_cast<float>(std::sin(rise)), 0.5f};
    };
    cloth.mesh.positions = {{0, 0, 0}, {0, 0, 1}, side(1), side(-1)};
    cloth.mesh.triangles = {{0, 1, 2}, {1, 0, 3}};
    cloth.material.membrane.model = MembraneModel::arap;
    cloth.material.membrane.warp = 100;
    return cloth;
}

double angle_of(const View& view) {
    const auto slope = [&](std::size_t i) {
        const Vec3 d = view.positions[i] - (view.positions[0] + view.positions[1]) * 0.5f;
        return std::atan2(double(d.y), std::fabs(double(d.x)));
    };
    return slope(2) + slope(3);
}

Simulation left_alone(Cloth cloth, int frames) {
    Description scene;
    scene.settings.gravity = {};
    scene.settings.drag = 0.05f;
    scene.bodies.push_back({.name = "valley", .shape = std::move(cloth)});
    scene.bodies[0].pinned = {0, 1};
    Simulation simulation = start(scene);
    run(simulation, frames);
    return simulation;
}

void check_sag_of_fine_strips(BendingModel model) {
    for (const std::uint32_t n : {20u, 40u}) {
        CAPTURE(n);
        for (const bool is_irregular : {false, true}) {
            CAPTURE(is_irregular);
            CHECK(relative_error(sag(n, {.model = model, .is_irregular = is_irregular}), 1) < 0.05);
        }
    }
}

}  // namespace

TEST_CASE("a strip stretches by F/(width·stiffness) at 5, 10, 20 and 40 squares across") {
    const double force = 0.025;
    for (const std::uint32_t n : {5u, 10u, 20u, 40u}) {
        CAPTURE(n);
        for (const MembraneModel model :
             {MembraneModel::orthotropic, MembraneModel::stvk, MembraneModel::arap}) {
            CAPTURE(int(model));
            CHECK(relative_error(elongation(n, {.model = model}, force), force / 5) < 0.03);
        }
        CHECK(relative_error(elongation(n, {.is_irregular = true}, force), force / 5) < 0.03);
    }
}

TEST_CASE("warp and weft stretch each by its own stiffness") {
    const double force = 0.025;
    for (const std::uint32_t n : {5u, 20u}) {
        CAPTURE(n);
        const Pulled along{.warp = 5, .weft = 2, .warp_direction = {0, 1, 0}};
        const Pulled across{.warp = 5, .weft = 2, .warp_direction = {1, 0, 0}};
        CHECK(relative_error(elongation(n, along, force), force / 5) < 0.03);
        CHECK(relative_error(elongation(n, across, force), force / 2) < 0.03);
    }
}

TEST_CASE("a clamped strip sags by qL⁴/8B at 5 and 10 squares across, regular and irregular") {
    for (const BendingModel model : {BendingModel::isometric, BendingModel::dihedral}) {
        CAPTURE(int(model));
        for (const std::uint32_t n : {5u, 10u}) {
            CAPTURE(n);
            for (const bool is_irregular : {false, true}) {
                CAPTURE(is_irregular);
                CHECK(relative_error(sag(n, {.model = model, .is_irregular = is_irregular}), 1) < 0.05);
            }
        }
    }
}

TEST_CASE("longer run: a strip with isometric bending sags by qL⁴/8B at 20 and 40 squares across" *
          doctest::skip()) {
    check_sag_of_fine_strips(BendingModel::isometric);
}

TEST_CASE("longer run: so does one with dihedral bending" * doctest::skip()) {
    check_sag_of_fine_strips(BendingModel::dihedral);
}

TEST_CASE("fabrics of 100 to 10,000 N/m stretch by F/(width·stiffness)") {
    for (const std::uint32_t n : {10u, 20u}) {
        CAPTURE(n);
        for (const bool is_irregular : {false, true}) {
            CAPTURE(is_irregular);
            for (const float stiffness : {100.0f, 1000.0f, 10000.0f}) {
                CAPTURE(stiffness);
                const double strain = 0.01, force = strain * double(stiffness);
                const Pulled warp{.warp = stiffness, .is_irregular = is_irregular};
                const Pulled weft{.warp = stiffness,
                                  .weft = stiffness / 4,
                                  .warp_direction = {1, 0, 0},
                                  .is_irregular = is_irregular};
                CHECK(relative_error(elongation(n, warp, force), strain) < 0.03);
                CHECK(relative_error(elongation(n, weft, force / 4), strain) < 0.03);
            }
        }
    }
}

TEST_CASE("longer run: fabrics stretch by F/(width·stiffness) at 40 squares across" * doctest::skip()) {
    for (const bool is_irregular : {false, true}) {
        CAPTURE(is_irregular);
        const Pulled pulled{.warp = 1000, .is_irregular = is_irregular};
        CHECK(relative_error(elongation(40, pulled, 10), 0.01) < 0.03);
    }
}

TEST_CASE("a fold of the rest shape stays, and a rest angle makes one") {
    for (const BendingModel model : {BendingModel::isometric, BendingModel::dihedral}) {
        Cloth cloth = valley(0.8);
        cloth.material.bending.model = model;
        cloth.material.bending.warp = 1;
        const Simulation pleat = left_alone(cloth, 300);
        CHECK(angle_of(pleat.view()) == doctest::Approx(0.8).epsilon(0.01));
        cloth.material.bending.rest_angle = 0;
        const Simulation flat = left_alone(cloth, 300);
        CHECK(std::fabs(angle_of(flat.view())) < 0.02);
        cloth.material.bending.rest_angle = 1.2f;
        const Simulation folded = left_alone(cloth, 300);
        CHECK(std::fabs(std::fabs(angle_of(folded.view())) - 1.2) < 0.02);
    }
}

TEST_CASE("cloth bends across a seam as elsewhere") {
    Cloth cloth = valley(0.8);
    // The second triangle has corners of its own, sewn to those of the first.
    cloth.mesh.positions.push_back(cloth.mesh.positions[0]);
    cloth.mesh.positions.push_back(cloth.mesh.positions[1]);
    cloth.mesh.triangles[1] = {5, 4, 3};
    cloth.material.bending.model = BendingModel::dihedral;
    cloth.material.bending.warp = 1;
    cloth.material.sewing_seconds = 0;
    const Simulation open = left_alone(cloth, 300);
    CHECK(angle_of(open.view()) == doctest::Approx(0.8).epsilon(0.01));  // nothing joins them
    cloth.seams = {{0, 4}, {1, 5}};
    const Simulation sewn = left_alone(cloth, 300);
    CHECK(std::fabs(angle_of(sewn.view())) < 0.02);
}

TEST_CASE("a strain limit holds the size of fine fabric") {
    Cloth cloth;
    cloth.mesh = *make_sheet(1, 1, 40, 40);
    cloth.material = *fabric("denim");
    Description scene;
    scene.settings.drag = 0.05f;
    scene.settings.contact_quality = ContactQuality::off;
    scene.bodies.push_back({.name = "cloth", .shape = std::move(cloth), .pinned = {0, 40}});
    Simulation simulation = start(scene);
    const std::vector<Edge> edges = unique_edges(simulation.view().triangles);
    const std::vector<Vec3> before(simulation.view().positions.begin(), simulation.view().positions.end());
    run(simulation, 240);
    double mean = 0, worst = 0;
    for (const Edge& e : edges) {
        const double now = distance(simulation.view().positions[e[0]], simulation.view().positions[e[1]]);
        const double stretch = std::max(now / distance(before[e[0]], before[e[1]]) - 1, 0.0);
        mean += stretch / double(edges.size());
        worst = std::max(worst, stretch);
    }
    CHECK(mean < 0.05);
    CHECK(worst < 0.15);
}

TEST_CASE("a square of every membrane and bending left alone stays where it is") {
    for (const MembraneModel model : {MembraneModel::orthotropic, MembraneModel::stvk, MembraneModel::arap}) {
        for (const BendingModel bending : {BendingModel::isometric, BendingModel::dihedral}) {
            Cloth cloth;
            cloth.mesh = *make_sheet(1, 1, 12, 12);
            cloth.material.membrane.model = model;
            cloth.material.bending.model = bending;
            Description scene;
            scene.settings.gravity = {};
            scene.bodies.push_back({.name = "cloth", .shape = std::move(cloth)});
            Simulation simulation = start(scene);
            const std::vector<Vec3> before(simulation.view().positions.begin(),
                                           simulation.view().positions.end());
            run(simulation, 200);
            double farthest = 0;
            for (std::size_t i = 0; i < before.size(); ++i)
                farthest = std::max(farthest, distance(before[i], simulation.view().positions[i]));
            CHECK(farthest < 1e-4);
        }
    }
}

TEST_CASE("energy of cloth that swings does not rise") {
    for (const BendingModel bending : {BendingModel::isometric, BendingModel::dihedral}) {
        for (const float stiffness : {20.0f, 2000.0f}) {  // left to sweeps, and solved at once
            Cloth cloth;
            cloth.mesh = *make_sheet(1, 1, 16, 16);
            cloth.material.membrane = {
                .model = MembraneModel::orthotropic, .warp = stiffness, .shear = stiffness / 4};
            cloth.material.bending.model = bending;
            cloth.material.bending.warp = stiffness > 100 ? 0.1f : 1e-4f;
            Description scene;
            scene.settings.contact_quality = ContactQuality::off;
            scene.bodies.push_back({.name = "cloth", .shape = std::move(cloth), .pinned = {0}});
            Simulation simulation = start(scene);
            const double before = simulation.diagnostics().total_energy;
            for (int i = 0; i < 200; ++i) {
                simulation.step();
                CHECK(simulation.diagnostics().total_energy < before + 0.02);
            }
        }
    }
}

TEST_CASE("leather that falls on a ball and the floor is not torn, and is at rest after 11 s") {
    Cloth cloth;
    cloth.mesh = *make_sheet(1, 1, 30, 30);
    cloth.material = *fabric("leather");
    Description scene;
    scene.bodies.push_back({.name = "cloth", .shape = std::move(cloth), .position = {0, 1, 0}});
    scene.colliders.push_back({.shape = Sphere{{0, 0.6f, 0}, 0.25f}});
    scene.colliders.push_back({.shape = Plane{}});
    Simulation simulation = start(scene);
    const std::vector<Edge> edges = unique_edges(simulation.view().triangles);
    const std::vector<Vec3> before(simulation.view().positions.begin(), simulation.view().positions.end());
    double worst = 0;
    for (int i = 0; i < 660; ++i) {
        simulation.step();
        for (const Edge& e : edges) {
            const double now = distance(simulation.view().positions[e[0]], simulation.view().positions[e[1]]);
            worst = std::max(worst, now / distance(before[e[0]], before[e[1]]) - 1);
        }
    }
    CHECK(worst < 0.5);
    double fastest = 0;
    for (const Vec3& v : simulation.view().velocities) fastest = std::max(fastest, length(v));
    CHECK(fastest < 0.01);
}

TEST_CASE("a rigid hinge is stable on a fine mesh") {
    for (const BendingModel model : {BendingModel::isometric, BendingModel::dihedral}) {
        Cloth cloth;
        cloth.mesh = strip(10, 40, 0.1, 0.4, false, true);
        cloth.material.membrane.model = MembraneModel::orthotropic;
        cloth.material.membrane.warp = 2000;
        cloth.material.bending.model = model;
        cloth.material.bending.warp = 1000;
        Description scene;
        scene.settings.contact_quality = ContactQuality::off;
        scene.settings.drag = 0.02f;
        scene.bodies.push_back({.name = "strip", .shape = std::move(cloth)});
        for (std::uint32_t i = 0; i < 22; ++i) scene.bodies[0].pinned.push_back(i);
        Simulation simulation = start(scene);
        run(simulation, 300);
        double fastest = 0;
        for (const Vec3& v : simulation.view().velocities) fastest = std::max(fastest, length(v));
        CHECK(fastest < 0.5);
    }
}
