// What stays inside out is rebuilt.
#include "solvers/untangle.h"

#include <pliant/shapes.h>

#include <doctest/doctest.h>

#include "scene/assemble/assemble.h"
#include "scene/diagnostics.h"
#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

// A box of 8³ cells that was turned by a quarter about z, with two particles pushed far through it.
struct TurnedBox {
    Assembly assembly;
    Executor executor{2, {}};
    solvers::UntanglingMemory memory{};
    std::uint32_t corner = 0, inner = 0;  // slots

    explicit TurnedBox(bool pins_inner = false) {
        SoftBody soft;
        soft.material.energy = Energy::springs;
        soft.mesh = *make_box({1, 1, 1}, {8, 8, 8});
        Body body = body_of(std::move(soft));
        const auto find = [&](Vec3 point) {
            const std::vector<Vec3>& all = std::get<SoftBody>(body.shape).mesh.positions;
            for (std::uint32_t i = 0; i < all.size(); ++i) {
                if (distance(all[i], point) < 1e-3) return i;
            }
            FAIL("no such point");
            return 0u;
        };
        const std::uint32_t corner_particle = find({0.5f, 0.5f, 0.5f}), inner_particle = find({0, 0, 0});
        if (pins_inner) body.pinned = {inner_particle};
        Result<Assembly> made = assemble(scene_of(std::move(body)));
        REQUIRE(bool(made));
        assembly = std::move(*made);
        corner = assembly.plan.slot_of[corner_particle];
        inner = assembly.plan.slot_of[inner_particle];
        for (std::uint32_t i = 0; i < assembly.plan.slots(); ++i) set(i, turned(i));
        set(corner, turned(corner) + Vec3d{0.8, -0.8, -0.8});
        set(inner, turned(inner) + Vec3d{0.4, 0.3, 0.1});
    }

    float* position(std::uint32_t slot) { return assembly.state.position_based.position.data() + 4 * slot; }
    Vec3d at(std::uint32_t slot) { return {position(slot)[0], position(slot)[1], position(slot)[2]}; }
    void set(std::uint32_t slot, const Vec3d& x) {
        position(slot)[0] = static_cast<float>(x.x);
        position(slot)[1] = static_cast<float>(x.y);
        position(slot)[2] = static_cast<float>(x.z);
    }
    Vec3d turned(std::uint32_t slot) const {
        const std::uint32_t particle = assembly.plan.particle_at[slot];
        if (particle == solvers::position_based::Subdomains::padding) return {};
        const Vec3& r = assembly.model.rest_positions[particle];
        return {-double(r.y), r.x, r.z};
    }
    double farthest_from_turned() {
        double farthest = 0;
        for (std::uint32_t i = 0; i < assembly.plan.slots(); ++i)
            farthest = std::max(farthest, length(at(i) - turned(i)));
        return farthest;
    }
    std::uint64_t inverted() const {
        std::vector<model::MaterialValues> materials;
        for (const model::MaterialPart& part : assembly.model.parts) materials.push_back(part.at_start);
        return diagnose(assembly.model, assembly.plan, assembly.state, {}, materials).inverted_tetrahedra;
    }
    // As if the time for the next scan had come.
    void scan() {
        assembly.state.time = assembly.state.untangling.next_scan;
        solvers::untangle(assembly.model, assembly.plan, assembly.state, memory, executor);
    }
};

}  // namespace

TEST_CASE("tetrahedra that are inside out at two scans are rebuilt as their surroundings are turned") {
    TurnedBox box;
    CHECK(box.inverted() > 4);
    box.scan();
    CHECK(box.inverted() > 4);
    box.scan();
    CHECK(box.inverted() == 0);
    CHECK(box.farthest_from_turned() < 1e-3);
}

TEST_CASE("rebuilding keeps momentum, and leaves held particles where they are") {
    TurnedBox box(true);
    Vec3d before{}, after{};
    AlignedVector<float>& u = box.assembly.state.position_based.displacement;
    const auto momentum = [&] {
        Vec3d sum{};
        for (std::uint32_t i = 0; i < box.assembly.plan.slots(); ++i) {
            const double w = box.position(i)[3];
            if (w > 0) sum = sum + Vec3d{u[4 * i], u[4 * i + 1], u[4 * i + 2]} * (1 / w);
        }
        return sum;
    };
    for (std::uint32_t i = 0; i < box.assembly.plan.slots(); ++i) u[4 * i + i % 3] = 1 + 0.1f * float(i % 7);
    before = momentum();
    const Vec3d held = box.at(box.inner);
    const std::uint64_t inverted = box.inverted();
    box.scan();
    box.scan();
    CHECK(box.inverted() < inverted);
    CHECK(length(box.at(box.corner) - box.turned(box.corner)) < 0.1);
    CHECK(box.at(box.inner) == held);
    after = momentum();
    CHECK(length(after - before) < 1e-5 * length(before));
}

TEST_CASE("what is inside out only now and then is left alone") {
    TurnedBox box;
    const Vec3d pushed = box.at(box.corner);
    box.scan();
    box.set(box.corner, box.turned(box.corner));
    box.set(box.inner, box.turned(box.inner));
    box.scan();
    box.set(box.corner, pushed);
    box.scan();
    CHECK(box.at(box.corner) == pushed);
}

TEST_CASE("what is inside out again and again is rebuilt so often and no more") {
    TurnedBox box;
    const Vec3d pushed = box.at(box.corner);
    int rebuilt = 0;
    box.assembly.state.untangling.next_try = 1e9;
    for (int i = 0; i < 200; ++i) {
        box.set(box.corner, pushed);
        box.scan();
        rebuilt += !(box.at(box.corner) == pushed);
    }
    CHECK(rebuilt > 5);
    CHECK(rebuilt <= solvers::most_tries);
    CHECK(box.assembly.state.untangling.tries[0] == 0);
}
