// Twist along a rod, read off its material frames, which no view shows.
#include <doctest/doctest.h>
#include <pliant/shapes.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/convert.h"
#include "scene/assemble/assemble.h"
#include "solvers/position_based/dispatch.h"
#include "solvers/position_based/strands/rod_joint.h"
#include "solvers/solver.h"
#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

TEST_CASE("twist along a shaft is uniform within 0.1°") {
    // A shaft of 40 segments that is clamped at its first, with an arm of 10 cm that carries a weight.
    constexpr std::size_t segments = 40;
    Rope crank;
    crank.positions = *make_line({0, 0, 0}, {1, 0, 0}, int(segments));
    for (int i = 1; i <= 4; ++i) crank.positions.push_back({1, 0, 0.025f * float(i)});
    crank.material.bending = 100;
    crank.material.twisting = 0.01f;
    crank.material.linear_density = 0.001f;
    Description scene = scene_of(body_of(std::move(crank), {}, {0, 1}));
    Body weight = lone_particle({1, 0, 0.1});
    std::get<Particles>(weight.shape).material.mass = 0.005f;
    scene.bodies.push_back(weight);
    scene.attachments.push_back({{0, segments + 4}, ParticleReference{1, 0}, {}});
    scene.settings.drag = 0.2f;

    Result<Assembly> made = assemble(scene);
    REQUIRE(bool(made));
    std::vector<model::MaterialValues> materials;
    for (const model::MaterialPart& part : made->model.parts) materials.push_back(part.at_start);
    Executor executor(1, {});
    solvers::position_based::Workspace workspace;
    for (int frame = 0; frame < 400; ++frame) {
        solvers::step(made->model, made->plan, made->state,
                      {scene.settings, materials, *solvers::position_based::usable_kernels().back(),
                       workspace, executor, nullptr});
    }

    const auto& group = made->plan.strands.groups[0];
    const auto& frames = made->state.position_based.frames;
    const auto vector = [&](std::size_t segment, std::size_t value) {
        const auto at = [&](std::size_t k) {
            return double(frames[((group.first_node + segment) * 6 + value + k) * 16]);
        };
        return Vec3d{at(0), at(1), at(2)};
    };
    std::vector<double> turned{0};  // of each segment, from the clamped one on, in degrees
    for (std::size_t i = 1; i < segments; ++i) {
        const Vec3d t = vector(i, 0);
        const Vec3d carried = solvers::position_based::transport(vector(i - 1, 3), vector(i - 1, 0), t);
        const double sine = dot(cross(carried, vector(i, 3)), t), cosine = dot(carried, vector(i, 3));
        turned.push_back(turned.back() + std::atan2(sine, cosine) * 180 / std::numbers::pi);
    }
    CHECK(std::abs(turned.back()) > 20);
    double worst = 0;
    for (std::size_t i = 0; i < segments; ++i)
        worst = std::max(worst, std::abs(turned[i] - turned.back() * double(i) / double(segments - 1)));
    CHECK(worst < 0.1);
}
