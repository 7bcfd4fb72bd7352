// Without inertia: the same rest as with it, and nothing that depends on the way there.
#include <doctest/doctest.h>
#include <pliant/shapes.h>

#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

// A bar of 1 m that hangs by its top.
Description hanging_bar(bool quasistatic) {
    SoftBody bar;
    bar.mesh = *make_box({0.2f, 1, 0.2f}, {2, 10, 2});
    bar.material.young_modulus = 2e5f;
    Settings settings = with_substeps(10);
    settings.quasistatic = quasistatic;
    if (!quasistatic) settings.damping = 0.2f;
    std::vector<std::uint32_t> top;
    for (std::uint32_t i = 0; i < bar.mesh.positions.size(); ++i) {
        if (bar.mesh.positions[i].y > 0.499f) top.push_back(i);
    }
    return scene_of(body_of(bar, {}, top), settings);
}

double lowest(const Simulation& simulation) {
    float y = 1e9f;
    for (const Vec3& x : simulation.view().positions) y = std::min(y, x.y);
    return y;
}

}  // namespace

TEST_CASE("a bar that hangs without inertia comes to the same rest as with it, and never swings beyond") {
    Simulation moving = start(hanging_bar(false)), still = start(hanging_bar(true));
    run(moving, 600);
    const double rest = lowest(moving), sag = -0.5 - rest;
    CHECK(sag > 0.01);
    double before = -0.5;
    for (int frame = 0; frame < 900; ++frame) {
        still.step();
        REQUIRE(lowest(still) <= before + 1e-6);
        before = lowest(still);
        for (const Vec3& v : still.view().velocities) REQUIRE(length(v) == 0);
    }
    CHECK(std::abs(before - rest) < 0.03 * sag);
}

TEST_CASE("where targets take it, and how fast, does not show afterwards") {
    // A cloth held at two sides; one goes away and comes back, slowly or at once, along another way.
    const auto end_of = [](int frames, float aside) {
        Cloth cloth;
        cloth.mesh = *make_sheet(1, 0.5f, 20, 10);
        cloth.material.membrane.model = MembraneModel::orthotropic;
        cloth.material.membrane.warp = 5;
        Settings settings = with_substeps(10);
        settings.quasistatic = true;
        settings.time_step = 0.1f;  // that means nothing: it goes faster
        settings.gravity = {};
        Description scene = scene_of(body_of(cloth), settings);
        for (std::uint32_t i = 0; i < cloth.mesh.positions.size(); ++i) {
            const Vec3 x = cloth.mesh.positions[i];
            if (std::abs(x.x) > 0.499f) scene.attachments.push_back({{0, i}, Vec3d{x.x, x.y, x.z}, {}, 0});
        }
        Simulation simulation = start(scene);
        const auto aim = [&](double share) {
            for (std::uint32_t k = 0; k < scene.attachments.size(); ++k) {
                Vec3d to = std::get<Vec3d>(scene.attachments[k].target);
                if (to.x > 0) to = to + Vec3d{0.1 * share, aside * share * (1 - share), 0};
                succeed(simulation.move_attachment(k, to));
            }
        };
        for (int frame = 1; frame <= frames; ++frame) {
            aim(double(frame) / frames);
            simulation.step();
        }
        run(simulation, 400);
        return std::vector<Vec3>(simulation.view().positions.begin(), simulation.view().positions.end());
    };
    const auto slow = end_of(100, 0), fast = end_of(1, 0), around = end_of(50, 1.5f);
    double worst = 0;
    for (std::size_t i = 0; i < slow.size(); ++i) {
        worst = std::max(worst, double(length(slow[i] - fast[i])));
        worst = std::max(worst, double(length(slow[i] - around[i])));
    }
    CHECK(worst < 0.002);
}
