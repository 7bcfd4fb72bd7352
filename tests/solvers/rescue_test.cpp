// What stays inside out is drawn to its rest shape.
#include "solvers/rescue.h"

#include <pliant/shapes.h>

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "base/geometry/tetrahedron.h"
#include "scene/assemble/assemble.h"
#include "scene/runtime.h"
#include "solvers/position_based/dispatch.h"
#include "support/random_source.h"
#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

using Snapshot = Simulation::Snapshot;

Description box_scene(std::vector<std::uint32_t> pinned = {}, int cells = 4) {
    SoftBody soft;
    soft.mesh = *make_box({1, 1, 1}, {cells, cells, cells});
    Settings settings;
    settings.gravity = {};
    return scene_of(body_of(std::move(soft), {}, std::move(pinned)), settings);
}

Vec3d vector_at(const AlignedVector<float>& array, std::uint32_t slot) {
    const float* p = array.data() + slot * floats_per_particle;
    return {p[0], p[1], p[2]};
}

// change(state, slots) on a copy of all that moves.
template <class F>
void edit(Simulation& simulation, F&& change) {
    auto changed = std::make_shared<Snapshot>(*simulation.save());
    change(changed->state, changed->plan->plan.slot_of);
    succeed(simulation.restore(changed));
}

void scatter(Simulation& simulation, std::uint64_t seed) {
    edit(simulation, [&](model::State& state, const std::vector<std::uint32_t>& slots) {
        RandomSource random(seed);
        for (const std::uint32_t slot : slots) {
            float* x = state.position_based.position.data() + slot * floats_per_particle;
            const Vec3 to = random.point_float(0.5);
            if (x[3] > 0) x[0] = to.x, x[1] = to.y, x[2] = to.z;
        }
    });
}

// A box of 8³ cells, turned by a quarter about z, of which one corner was pushed far through it. Without
// constraints: only the rescue moves it.
struct TurnedBox {
    Assembly assembly;
    std::vector<model::MaterialValues> materials{};
    solvers::position_based::Workspace workspace{};
    Executor executor{2, {}};
    Settings settings{};
    std::uint32_t corner = 0;  // slot

    explicit TurnedBox(std::vector<std::uint32_t> pinned = {}) {
        Result<Assembly> made = assemble(box_scene(std::move(pinned), 8));
        REQUIRE(bool(made));
        assembly = std::move(*made);
        assembly.state.position_based.substep = 1;
        workspace.colliders.resize(assembly.model.islands.size());
        corner = assembly.plan.slot_of[0];
        for (const std::uint32_t slot : assembly.plan.slot_of) set(slot, turned(slot));
        push();
    }

    model::State& state() { return assembly.state; }
    Vec3d at(std::uint32_t slot) const { return vector_at(assembly.state.position_based.position, slot); }
    void set(std::uint32_t slot, const Vec3d& x) {
        float* p = state().position_based.position.data() + slot * floats_per_particle;
        p[0] = static_cast<float>(x.x), p[1] = static_cast<float>(x.y), p[2] = static_cast<float>(x.z);
    }
    void push() { set(corner, turned(corner) * 0.5); }
    void heal() { set(corner, turned(corner)); }
    Vec3d turned(std::uint32_t slot) const {
        const Vec3& r = assembly.model.rest_positions[assembly.plan.particle_at[slot]];
        return {-double(r.y), r.x, r.z};
    }
    double farthest_from_turned() const {
        double farthest = 0;
        for (const std::uint32_t slot : assembly.plan.slot_of)
            farthest = std::max(farthest, length(at(slot) - turned(slot)));
        return farthest;
    }
    // Sums over what is dynamic: of momentum and of mass times position.
    solvers::Moments moments() const {
        solvers::Moments sums;
        for (const std::uint32_t slot : assembly.plan.slot_of) {
            const double w = assembly.state.position_based.position[slot * floats_per_particle + 3];
            if (w > 0) sums.add(at(slot), vector_at(assembly.state.position_based.displacement, slot), 1 / w);
        }
        return sums;
    }
    void rescue(int frames) {
        const solvers::StepContext context{
            settings, materials, *solvers::position_based::usable_kernels().back(), workspace, executor, {}};
        for (int frame = 0; frame < frames; ++frame) {
            state().time += 1.0 / 60;
            solvers::rescue(assembly.model, assembly.plan, state(), context, 1.0 / 60);
        }
    }
};

}  // namespace

TEST_CASE("every instruction set counts the same tetrahedra inside out") {
    for (const int cells : {1, 3, 5}) {  // 6, 162 and 750 tetrahedra: full blocks and remainders
        Simulation simulation = start(box_scene({}, cells));
        scatter(simulation, 7);
        const auto saved = simulation.save();
        const solvers::position_based::Plan& plan = saved->plan->plan;
        const AlignedVector<float>& position = saved->state.position_based.position;
        std::uint32_t expected = 0;
        for (const Tetrahedron& t : simulation.view().tetrahedra) {
            const auto at = [&](int k) { return vector_at(position, plan.slot_of[t[std::size_t(k)]]); };
            expected += tetrahedron_volume(at(0), at(1), at(2), at(3)) <= 0;
        }
        CHECK(expected > 0);
        for (const solvers::position_based::Kernels* kernels : solvers::position_based::usable_kernels()) {
            CAPTURE(kernels->name);
            std::uint32_t found = 0;
            for (const solvers::position_based::TetrahedronChunk& chunk : plan.tetrahedra.chunks) {
                found += kernels->count_inverted(
                    {position.data(), plan.tetrahedra.offsets.data() + chunk.first * 4u, chunk.count});
            }
            CHECK(found == expected);
        }
    }
}

TEST_CASE("what stays inside out is drawn to the rest shape, as it is turned") {
    TurnedBox box;
    box.rescue(45);
    CHECK(box.state().rescues == 0);
    CHECK(box.farthest_from_turned() > 0.4);
    box.rescue(75);
    CHECK(box.state().rescues > 0);
    CHECK(box.farthest_from_turned() < 0.2);  // as far as nothing is inside out any more
}

TEST_CASE("the rescue keeps momentum and the centre of mass, and stops motion within the body") {
    TurnedBox box;
    AlignedVector<float>& u = box.state().position_based.displacement;
    for (const std::uint32_t i : box.assembly.plan.slot_of) u[4 * i + i % 3] = 1 + 0.1f * float(i % 7);
    const solvers::Moments before = box.moments();
    box.rescue(120);
    CHECK(box.state().rescues > 0);
    const solvers::Moments after = box.moments();
    CHECK(length(after.momentum - before.momentum) < 1e-5 * length(before.momentum));
    CHECK(length(after.first - before.first) < 1e-5 * after.mass);
    const solvers::RigidMotion motion = solvers::rigid_motion(after);
    for (const std::uint32_t i : box.assembly.plan.slot_of)
        CHECK(length(vector_at(u, i) - motion.at(box.at(i))) < 0.05);
}

TEST_CASE("the rescue leaves held particles where they are, and the body comes back between them") {
    const std::vector<Vec3> rest = make_box({1, 1, 1}, {4, 4, 4})->positions;
    std::vector<std::uint32_t> corners;  // of its top
    for (std::uint32_t i = 0; i < rest.size(); ++i) {
        if (rest[i].y > 0.4f && std::abs(rest[i].x) > 0.4f && std::abs(rest[i].z) > 0.4f)
            corners.push_back(i);
    }
    REQUIRE(corners.size() == 4);
    Simulation simulation = start(box_scene(corners));
    std::vector<Vec3> held;
    for (const std::uint32_t i : corners) held.push_back(simulation.view().positions[i]);
    scatter(simulation, 2);
    run(simulation, 180);
    CHECK(simulation.diagnostics().rescues > 0);
    CHECK(simulation.diagnostics().inverted_tetrahedra == 0);
    for (std::size_t i = 0; i < held.size(); ++i)
        CHECK(distance(simulation.view().positions[corners[i]], held[i]) == 0);
    double farthest = 0;
    for (std::size_t i = 0; i < rest.size(); ++i)
        farthest = std::max(farthest, distance(simulation.view().positions[i], rest[i]));
    CHECK(farthest < 0.05);
}

TEST_CASE("what is inside out only now and then is left alone") {
    TurnedBox box;
    for (int i = 0; i < 20; ++i) {
        box.push();
        box.rescue(36);
        box.heal();
        box.rescue(24);
    }
    CHECK(box.state().rescues == 0);
}

TEST_CASE("what is inside out again and again is drawn ever more seldom") {
    TurnedBox box;
    std::uint64_t in_first_minute = 0;
    for (int frame = 0; frame < 7200; ++frame) {
        if (frame % 60 == 0) box.push();
        box.rescue(1);
        if (frame == 3600) in_first_minute = box.state().rescues;
    }
    CHECK(in_first_minute > 0);
    CHECK(in_first_minute < 1200);
    CHECK(box.state().rescues - in_first_minute < in_first_minute / 2);
}

TEST_CASE("a rescue that does not help ends, and waits") {
    TurnedBox box;
    for (int frame = 0; frame < 600; ++frame) {
        box.push();
        box.rescue(1);
    }
    CHECK(box.state().rescues > 60);
    CHECK(box.state().rescues < 400);
}

TEST_CASE("the rescue has the same bits on any number of threads and instruction set, and after a restore") {
    const auto hash_on = [&](const Execution& execution, bool restores) {
        Simulation simulation = start(box_scene({}, 12), execution);
        scatter(simulation, 3);
        run(simulation, 5);
        if (restores) {
            const auto saved = simulation.save();
            run(simulation, 30);
            succeed(simulation.restore(saved));
        }
        run(simulation, 40);
        CHECK(simulation.diagnostics().rescues > 5);
        return simulation.state_hash();
    };
    const std::uint64_t expected = hash_on(on_threads(1), false);
    CHECK(hash_on(on_threads(3), true) == expected);
    for (const std::string_view target : available_targets()) {
        CAPTURE(target);
        CHECK(hash_on({.threads = 2, .target = std::string(target), .runner = {}}, false) == expected);
    }
}

TEST_CASE("the watch over tetrahedra changes no bit of ordinary motion") {
    const auto hash_of = [](bool watches) {
        Description scene = box_scene({}, 6);
        scene.settings.gravity = {0, -9.81f, 0};
        scene.bodies[0].position = {0, 2, 0};
        scene.colliders.push_back({Plane{}});
        Simulation simulation = start(scene);
        if (!watches) {
            edit(simulation, [](model::State& state, const auto&) {
                state.rescue.next_scan = std::numeric_limits<double>::infinity();
            });
        }
        run(simulation, 120);
        return simulation.state_hash();
    };
    CHECK(hash_of(true) == hash_of(false));
}
