// Seams close in the time they are given, at any number of substeps and iterations, and then hold.
#include <doctest/doctest.h>

#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

// Two triangles 0.4 m apart, sewn corner to corner: they fly towards each other as they are.
Description two_triangles(const Settings& settings) {
    Cloth cloth;
    cloth.mesh.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0.4f}, {1, 0, 0.4f}, {0, 1, 0.4f}};
    cloth.mesh.triangles = {{0, 1, 2}, {3, 4, 5}};
    cloth.seams = {{0, 3}, {1, 4}, {2, 5}};
    Settings weightless = settings;
    weightless.gravity = {};
    return scene_of(body_of(std::move(cloth)), weightless);
}

double largest_gap(const View& view, std::span<const Edge> seams) {
    double largest = 0;
    for (const auto& [a, b] : seams)
        largest = std::max(largest, distance(view.positions[a], view.positions[b]));
    return largest;
}

}  // namespace

TEST_CASE("a seam's gap shrinks like (1 − t/T)²") {
    for (const Method method : {Method::xpbd, Method::pbd}) {
        for (const int substeps : {1, 5, 20}) {
            for (const int iterations : {1, 4}) {
                CAPTURE(int(method));
                CAPTURE(substeps);
                CAPTURE(iterations);
                Settings settings = with_substeps(substeps, iterations);
                settings.method = method;
                Simulation simulation = start(two_triangles(settings));
                const auto gap = [&] {
                    return distance(simulation.view().positions[0], simulation.view().positions[3]);
                };
                run(simulation, 15);
                CHECK(std::abs(gap() - 0.4 / 4) < 0.01);
                run(simulation, 15);
                CHECK(gap() < 0.001);
                run(simulation, 30);
                CHECK(gap() < 1e-6);
                CHECK(length(simulation.diagnostics().momentum) < 2e-5);  // each half had 0.08 N s
                CHECK(std::abs(simulation.view().positions[0].z - 0.2f) < 1e-4f);
            }
        }
    }
}

TEST_CASE("two panels sewn together carry what hangs from them") {
    Panels panels{0.05f,
                  {{"upper", {{0, 0}, {0.5f, 0}, {0.5f, 0.4f}, {0, 0.4f}}, {0, 0.6f, 0}, {}},
                   {"lower", {{0, 0}, {0.5f, 0}, {0.5f, 0.4f}, {0, 0.4f}}, {0, 0.1f, 0.1f}, {}}},
                  {{{"upper", 0, 1, false}, {"lower", 3, 2, true}}}};
    const auto sewn = sew(panels);
    REQUIRE(sewn);
    Cloth cloth;
    cloth.mesh = sewn->mesh;
    cloth.seams = sewn->seams;
    std::vector<std::uint32_t> top;
    for (std::uint32_t i = 0; i < cloth.mesh.positions.size(); ++i) {
        if (cloth.mesh.positions[i].y > 0.999f) top.push_back(i);
    }
    REQUIRE(top.size() == 11);
    Simulation simulation = start(scene_of(body_of(cloth, {}, top), with_substeps(20)));
    run(simulation, 600);
    CHECK(largest_gap(simulation.view(), cloth.seams) < 1e-3);
    float lowest = 1;
    for (const Vec3& p : simulation.view().positions) lowest = std::min(lowest, p.y);
    CHECK(std::abs(lowest - 0.2f) < 0.02f);  // twice 0.4 m below the pins

    // A weak seam tears open as its compliance says: the lower panel's weight on eleven springs.
    succeed(simulation.set_elasticity("body0", "seam", compliant(0.5f, 0.05f)));
    run(simulation, 900);
    const double weight = 0.2 * 0.5 * 0.4 * 9.81;
    double sum = 0;
    for (const auto& [a, b] : cloth.seams) {
        sum += distance(simulation.view().positions[a], simulation.view().positions[b]);
    }
    CHECK(relative_error(sum, weight * 0.5) < 0.05);
}

TEST_CASE("a flat square whose sides are sewn together becomes a tube") {
    const auto sewn = sew({0.05f,
                           {{"square", {{0, 0}, {1, 0}, {1, 1}, {0, 1}}, {}, {}}},
                           {{{"square", 1, 2, false}, {"square", 0, 3, true}}}});
    REQUIRE(sewn);
    Cloth cloth;
    cloth.mesh = sewn->mesh;
    cloth.seams = sewn->seams;
    cloth.material.bending.compliance = 1e-2f;  // stiff enough to stay round
    Settings weightless = with_substeps(10);
    weightless.gravity = {};
    weightless.damping = 0.02f;
    Simulation simulation = start(scene_of(body_of(cloth), weightless));
    run(simulation, 300);
    CHECK(largest_gap(simulation.view(), cloth.seams) < 1e-3);
    CHECK(simulation.diagnostics().worst_constraint_error < 0.05);
}

TEST_CASE("what a description sews must be there") {
    Description description = two_triangles({});
    std::get<Cloth>(description.bodies[0].shape).seams = {{0, 6}};
    const auto bad_index = Simulation::create(description);
    REQUIRE(!bad_index);
    CHECK(bad_index.error().text() == "/bodies/0/shape/seams/0/1: must be an index below 6, got 6");
    std::get<Cloth>(description.bodies[0].shape).seams = {{2, 2}};
    const auto same = Simulation::create(description);
    REQUIRE(!same);
    CHECK(same.error().text().find("/bodies/0/shape/seams/0: joins particle 2 with itself") == 0);
}
