// Inner forces and damping change neither linear nor angular momentum.
#include <pliant/shapes.h>

#include <doctest/doctest.h>

#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

// Gives every particle a velocity of its own, and all a common speed and spin.
void shake(Simulation& simulation) {
    std::uint32_t random = 12345;
    const auto next = [&] {
        random = random * 1664525 + 1013904223;
        return float(random >> 8) * 0x1p-23f - 1;
    };
    for (std::uint32_t i = 0; i < simulation.view().positions.size(); ++i) {
        const Vec3 x = simulation.view().positions[i];
        const float a = next(), b = next(), c = next();
        succeed(simulation.set_velocity(i, {a + 1 + 2 * x.z, b, c - 0.5f - 2 * x.x}));
    }
}

// A free box of jelly, shaken.
Simulation shaken_box(Settings settings, float compliance) {
    settings.gravity = {};
    SoftBody box;
    box.material.energy = Energy::springs;
    box.mesh = *make_box({0.5f, 0.4f, 0.3f}, {3, 3, 3});
    box.material.edges.compliance = compliance;
    Simulation simulation = start(scene_of(body_of(std::move(box), {0.2, 0.1, -0.3}), settings));
    shake(simulation);
    return simulation;
}

// As shares of momenta that the motion could have: all mass at the mean speed, half a metre apart.
struct Change {
    double momentum, angular_momentum;
};

Change change_since(const Diagnostics& before, const Simulation& simulation) {
    const Diagnostics now = simulation.diagnostics();
    double mass = 1000 * before.rest_volume;
    if (mass == 0) mass = 0.8 * double(before.particles);
    const double scale = std::sqrt(2 * before.kinetic_energy * mass);
    return {length(now.momentum - before.momentum) / scale,
            length(now.angular_momentum - before.angular_momentum) / (0.5 * scale)};
}

}  // namespace

TEST_CASE("a free soft body keeps its linear and angular momentum, damped or not") {
    for (const float damping : {0.0f, 0.2f}) {
        for (const float compliance : {0.0f, 1e-5f}) {
            for (const int iterations : {1, 3}) {
                CAPTURE(damping);
                CAPTURE(compliance);
                CAPTURE(iterations);
                Settings settings = with_substeps(10, iterations);
                settings.damping = damping;
                Simulation simulation = shaken_box(settings, compliance);
                const Diagnostics before = simulation.diagnostics();
                run(simulation, 1);
                const Change once = change_since(before, simulation);
                CHECK(once.momentum < 1e-4);
                CHECK(once.angular_momentum < 1e-3);
                // Every correction is rounded like a position, and over h that is a velocity: it adds up.
                run(simulation, 59);
                const Change later = change_since(before, simulation);
                CHECK(later.momentum < 2e-3);
                CHECK(later.angular_momentum < 5e-3);
                CHECK(simulation.diagnostics().total_energy < before.total_energy);
            }
        }
    }
}

TEST_CASE("without constraints in the way one substep keeps linear momentum to rounding") {
    Simulation simulation = shaken_box(with_substeps(1), 1e-5f);
    const Diagnostics before = simulation.diagnostics();
    run(simulation, 10);
    CHECK(change_since(before, simulation).momentum < 1e-5);
}

TEST_CASE("angular momentum changes in proportion to the substep only") {
    // Corrections turn about where a particle is, not about where the substep began. (If it is not given
    // back.)
    double last = 0;
    for (const int substeps : {1, 4, 16}) {
        CAPTURE(substeps);
        Settings settings = with_substeps(substeps);
        settings.keep_momentum = false;
        Simulation simulation = shaken_box(settings, 0);
        const Diagnostics before = simulation.diagnostics();
        run(simulation, 1);
        const double change = change_since(before, simulation).angular_momentum;
        CHECK(change < 0.005 / substeps);
        if (last > 0) CHECK(change < 0.5 * last);
        last = change;
    }
}

TEST_CASE("damping of 1 leaves rigid motion only, with the same momenta") {
    // Free particles: nothing but the damping acts on them.
    Particles cloud;
    const TetrahedralMesh box = *make_box({0.5f, 0.4f, 0.3f}, {3, 3, 3});
    cloud.positions = box.positions;
    for (std::size_t i = 0; i < box.positions.size(); ++i) cloud.masses.push_back(0.5f + 0.1f * float(i % 7));
    Settings settings = with_substeps(10);
    settings.gravity = {};
    settings.damping = 1;
    Simulation simulation = start(scene_of(body_of(std::move(cloud), {0.2, 0.1, -0.3}), settings));
    shake(simulation);
    const Diagnostics before = simulation.diagnostics();
    simulation.step();
    const Change change = change_since(before, simulation);
    CHECK(change.momentum < 1e-6);
    CHECK(change.angular_momentum < 1e-6);

    // Rigid: no two particles change their distance.
    const View view = simulation.view();
    double worst = 0;
    for (std::size_t i = 0; i < view.positions.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const Vec3d x = to_double(view.positions[i]) - to_double(view.positions[j]);
            const Vec3d v = to_double(view.velocities[i]) - to_double(view.velocities[j]);
            worst = std::max(worst, std::abs(dot(x, v)) / length(x));
        }
    }
    CHECK(worst < 1e-6);
    CHECK(simulation.diagnostics().kinetic_energy > 0.1 * before.kinetic_energy);
}

TEST_CASE("damping takes the share it says per frame, at any number of substeps") {
    // Two particles on a line, without a link, drift apart: only the relative motion is damped.
    for (const int substeps : {1, 4, 25}) {
        CAPTURE(substeps);
        Settings settings = with_substeps(substeps);
        settings.gravity = {};
        settings.damping = 0.3f;
        Particles pair;
        pair.positions = {{0, 0, 0}, {1, 0, 0}};
        Simulation simulation = start(scene_of(body_of(std::move(pair)), settings));
        succeed(simulation.set_velocity(0, {1, 0, 0}));
        succeed(simulation.set_velocity(1, {3, 0, 0}));
        simulation.step();
        CHECK(relative_error(simulation.view().velocities[0].x, 2 - 0.7) < 1e-5);
        CHECK(relative_error(simulation.view().velocities[1].x, 2 + 0.7) < 1e-5);
    }
}

TEST_CASE("two bodies tied together keep their common momentum") {
    Settings settings = with_substeps(20);
    settings.gravity = {};
    Description scene;
    scene.settings = settings;
    for (const double x : {0.0, 1.0}) {
        SoftBody box;
        box.material.energy = Energy::springs;
        box.mesh = *make_box({0.5f, 0.5f, 0.5f}, {1, 1, 1});
        scene.bodies.push_back(body_of(std::move(box), {x, 0, 0}));
        scene.bodies.back().velocity = {float(x), 0.5f, 0};
    }
    Attachment tie;
    tie.particle = {0, 7};
    tie.target = ParticleReference{1, 0};
    tie.elasticity = compliant(1e-3f);
    scene.attachments.push_back(tie);
    Simulation simulation = start(scene);
    const Diagnostics before = simulation.diagnostics();
    run(simulation, 120);
    // The tie pulls with up to 870 N, so the scale is the momentum that each body gets from it.
    const Diagnostics after = simulation.diagnostics();
    CHECK(length(after.momentum - before.momentum) < 0.01 * length(before.momentum));
    CHECK(length(after.angular_momentum - before.angular_momentum) < 0.02 * length(before.momentum));
}

namespace {

// A box that spins about its shortest axis: about the middle one it would tumble.
Simulation spinning_box(const Settings& settings, float spin) {
    SoftBody box;
    box.mesh = *make_box({1, 0.8f, 0.6f}, {4, 4, 4});
    Simulation simulation = start(scene_of(body_of(std::move(box)), settings));
    for (std::uint32_t i = 0; i < simulation.view().positions.size(); ++i) {
        const Vec3 x = simulation.view().positions[i];
        succeed(simulation.set_velocity(i, {-spin * x.y, spin * x.x, 0}));
    }
    return simulation;
}

}  // namespace

TEST_CASE("a body that flies freely keeps its spin and its momentum for 10 s") {
    for (const float spin : {1.0f, 3.0f, 5.0f}) {
        for (const float drag : {0.0f, 0.001f}) {
            CAPTURE(spin);
            CAPTURE(drag);
            Settings settings = with_substeps(10);
            settings.drag = drag;
            settings.gravity = {};
            Simulation simulation = spinning_box(settings, spin);
            const Diagnostics before = simulation.diagnostics();
            double highest_energy = 0;
            for (int frame = 0; frame < 600; ++frame) {
                simulation.step();
                highest_energy = std::max(highest_energy, simulation.diagnostics().total_energy);
            }
            const Diagnostics after = simulation.diagnostics();
            const double left = std::pow(1 - double(drag), 600);
            const double lost = length(after.angular_momentum - before.angular_momentum * left);
            CHECK(lost < 0.01 * length(before.angular_momentum));
            const double scale = std::sqrt(2 * before.kinetic_energy * 1000 * before.rest_volume);
            CHECK(length(after.momentum - before.momentum * left) < 2e-6 * scale);
            CHECK(highest_energy < before.total_energy * (1 + 1e-6));
        }
    }
}

TEST_CASE("a body that falls and spins falls as any other") {
    Simulation simulation = spinning_box(with_substeps(10), 5);
    const Diagnostics before = simulation.diagnostics();
    run(simulation, 120);
    const double mass = 1000 * before.rest_volume;
    const Vec3d fallen{0, double(-9.81f) * simulation.view().time * mass, 0};
    const Vec3d momentum = simulation.diagnostics().momentum;
    CHECK(length(momentum - before.momentum - fallen) < 1e-5 * length(momentum));
}

TEST_CASE("what is held, touches or is pushed is left to the solver alone") {
    const auto momentum_after = [](bool keep, const auto& change) {
        Settings settings = with_substeps(10);
        settings.keep_momentum = keep;
        settings.gravity = {};
        Simulation simulation = spinning_box(settings, 5);
        change(simulation);
        run(simulation, 20);
        return simulation.state_hash();
    };
    const auto nothing = [](Simulation&) {};
    const auto pins = [](Simulation& s) { succeed(s.pin(7)); };
    const auto pushes = [](Simulation& s) { succeed(s.set_force(7, {1, 0, 0})); };
    CHECK(momentum_after(true, nothing) != momentum_after(false, nothing));
    CHECK(momentum_after(true, pins) == momentum_after(false, pins));
    CHECK(momentum_after(true, pushes) == momentum_after(false, pushes));
}

TEST_CASE("parts that nothing joins are not turned about each other") {
    // Two boxes in one body, each spinning: the loss of one is no business of the other.
    TetrahedralMesh mesh = *make_box({1, 1, 1}, {2, 2, 2});
    const std::size_t count = mesh.positions.size();
    const TetrahedralMesh other = mesh;
    for (const Vec3& p : other.positions) mesh.positions.push_back({p.x + 5, p.y, p.z});
    for (Tetrahedron t : other.tetrahedra) {
        for (std::uint32_t& p : t) p += static_cast<std::uint32_t>(count);
        mesh.tetrahedra.push_back(t);
    }
    SoftBody pair;
    pair.mesh = std::move(mesh);
    Settings settings = with_substeps(10);
    settings.gravity = {};
    Simulation simulation = start(scene_of(body_of(std::move(pair)), settings));
    for (std::uint32_t i = 0; i < 2 * count; ++i) {
        const Vec3 x = simulation.view().positions[i];
        const float from_middle = i < count ? x.x : x.x - 5;
        succeed(simulation.set_velocity(i, {5 * x.z, 0, -5 * from_middle}));
    }
    run(simulation, 300);
    Vec3d middle;
    for (std::size_t i = 0; i < count; ++i) middle = middle + to_double(simulation.view().positions[i]);
    CHECK(length(middle * (1.0 / double(count))) < 0.05);
}
