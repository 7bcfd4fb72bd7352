// A millimetre and a kilometre, a gram and a tonne behave alike.
#include <pliant/shapes.h>

#include <doctest/doctest.h>

#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

// Lengths × s, densities × d, the same times: gravity × s, moduli × d·s². Scaled by powers of two, all
// numbers keep their digits, so that the runs agree bit by bit unless something absolute interferes.
struct Scale {
    float length, density;
};

Description scaled_scene(const Scale& s) {
    SoftBody box;
    box.material.energy = Energy::springs;
    box.mesh = *make_box({s.length, s.length, s.length}, {2, 2, 2});
    box.material.density = 1000 * s.density;
    const float modulus = s.density * s.length * s.length;
    box.material.edges = compliant(0x1p-16f / modulus, 0.01f);
    box.material.volumes = compliant(0x1p-20f / modulus);
    Cloth cloth;
    cloth.mesh = *make_sheet(s.length, s.length, 6, 6);
    cloth.material.area_density = 0.25f * s.density * s.length;
    cloth.material.bending.compliance = 0x1p-6f / (modulus * s.length);
    Description scene;
    scene.bodies = {body_of(std::move(box), {0, 1.25 * s.length, 0}),
                    body_of(std::move(cloth), {0, 2.5 * s.length, 0})};
    scene.bodies[0].velocity = {0, 0, 0.5f * s.length};
    scene.bodies[1].pinned = {0};
    scene.bodies[1].radius = 0.015625f * s.length;
    Sphere ball;
    ball.center = {0.125 * s.length, 0, 0};
    ball.radius = 0.5f * s.length;
    scene.colliders = {{ball, 0.5f, 0.25f}, {Plane{}, 0.5f, 0.25f}};
    scene.settings.gravity = {0, -8 * s.length, 0};
    scene.settings.damping = 0.0625f;
    return scene;
}

}  // namespace

TEST_CASE("a millimetre and a kilometre, a gram and a tonne behave alike, bit by bit") {
    Simulation reference = start(scaled_scene({1, 1}));
    run(reference, 120);
    const Scale scales[] = {{0x1p-10f, 1}, {0x1p10f, 1},         {1, 0x1p-10f},
                            {1, 0x1p10f},  {0x1p-10f, 0x1p-10f}, {0x1p10f, 0x1p10f}};
    for (const Scale& scale : scales) {
        CAPTURE(scale.length);
        CAPTURE(scale.density);
        Simulation simulation = start(scaled_scene(scale));
        run(simulation, 120);
        const View a = reference.view(), b = simulation.view();
        double worst = 0;
        for (std::size_t i = 0; i < a.positions.size(); ++i) {
            worst = std::max(worst, distance(a.positions[i], b.positions[i] * (1 / scale.length)));
        }
        CHECK(worst == 0);
        CHECK(simulation.diagnostics().repaired_particles == 0);
    }
}

TEST_CASE("a body of 8 cells stands on Earth, 1 cm to 100 m tall; at 1 mm it names the substeps it wants") {
    for (const float size : {0.001f, 0.01f, 1.0f, 100.0f}) {
        CAPTURE(size);
        SoftBody box;
        box.mesh = *make_box({size, size, size}, {8, 8, 8});
        box.material.young_modulus = 5e7f;
        box.material.poisson_ratio = 0.3f;
        Description scene = scene_of(body_of(std::move(box), {0, 0.5 * double(size), 0}));
        scene.colliders.push_back({Plane{}});
        Simulation simulation = start(scene);
        for (int frame = 0; frame < 60; ++frame) {
            simulation.step();
            const Diagnostics d = simulation.diagnostics();
            REQUIRE(d.inverted_tetrahedra == 0);
            REQUIRE(relative_error(d.volume, d.rest_volume) < (size < 0.005f ? 0.05 : 0.01));
        }
        // Rounding has a say in boxes of more than 1e5 times what a sweep carries.
        const Stiffness stiffness = simulation.stiffness()[0];
        if (size >= 0.005f) {
            CHECK(stiffness.carried > 0.7 * stiffness.asked);  // enough for no warning
            continue;
        }
        CHECK(stiffness.carried < 0.5 * stiffness.asked);
        REQUIRE(stiffness.substeps > simulation.settings().substeps);
        Settings settings = simulation.settings();
        settings.substeps = stiffness.substeps;
        succeed(simulation.configure(settings));
        CHECK(simulation.stiffness()[0].carried >= 0.9 * stiffness.asked);
    }
}

TEST_CASE("a body of any size falls, rests and keeps its shape") {
    // Not scaled along: gravity is Earth's, so only the shape is compared, at rest.
    for (const float size : {0.001f, 1.0f, 1000.0f}) {
        for (const float density : {1.0f, 1e6f}) {
            CAPTURE(size);
            CAPTURE(density);
            SoftBody box;
            box.material.energy = Energy::springs;
            box.mesh = *make_box({size, size, size}, {2, 2, 2});
            box.material.density = density;
            box.material.edges = compliant(0, 0.01f);
            Description scene = scene_of(body_of(std::move(box), {0, 0.55 * size, 0}));
            scene.settings.gravity = {0, -9.81f * size, 0};
            scene.colliders.push_back({Plane{}});
            Simulation simulation = start(scene);
            run(simulation, 120);
            const Diagnostics d = simulation.diagnostics();
            CHECK(d.worst_constraint_error < 0.01);
            CHECK(relative_error(d.volume, d.rest_volume) < 0.001);
            double lowest = 1e9;
            for (const Vec3& p : simulation.view().positions) lowest = std::min(lowest, double(p.y));
            CHECK(std::abs(lowest) < 1e-5 * size);
        }
    }
}
