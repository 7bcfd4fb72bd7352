// What stays inside out is laid out anew.
#include "solvers/recovery.h"

#include <pliant/shapes.h>

#include <doctest/doctest.h>

#include "scene/assemble.h"
#include "scene/diagnostics.h"
#include "support/simulations.h"

using namespace pliant;
using namespace pliant::test;

namespace {

// A box of 8³ cells that was turned by a quarter about z, with two particles pushed far through it.
struct TurnedBox {
    Assembly assembly;
    Executor executor{2, {}};
    std::uint32_t corner = 0, inner = 0;  // places

    explicit TurnedBox(bool pins_inner = false) {
        SoftBody soft;
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
        corner = assembly.model.place[corner_particle];
        inner = assembly.model.place[inner_particle];
        for (std::uint32_t i = 0; i < assembly.model.places(); ++i) set(i, turned(i));
        set(corner, turned(corner) + Vec3d{0.8, -0.8, -0.8});
        set(inner, turned(inner) + Vec3d{0.4, 0.3, 0.1});
    }

    float* position(std::uint32_t place) { return assembly.state.position.data() + 4 * place; }
    Vec3d at(std::uint32_t place) { return {position(place)[0], position(place)[1], position(place)[2]}; }
    void set(std::uint32_t place, const Vec3d& x) {
        position(place)[0] = static_cast<float>(x.x);
        position(place)[1] = static_cast<float>(x.y);
        position(place)[2] = static_cast<float>(x.z);
    }
    Vec3d turned(std::uint32_t place) const {
        const Vec3& r = assembly.model.rest[place];
        return {-double(r.y), r.x, r.z};
    }
    double farthest_from_turned() {
        double farthest = 0;
        for (std::uint32_t i = 0; i < assembly.model.places(); ++i)
            farthest = std::max(farthest, length(at(i) - turned(i)));
        return farthest;
    }
    std::uint64_t inverted() const {
        return diagnose(assembly.model, assembly.state, {}, assembly.elasticities).inverted_tetrahedra;
    }
    void look() { recover(assembly.model, assembly.state, executor); }
};

}  // namespace

TEST_CASE("tetrahedra that are inside out at two looks are laid out as their surroundings are turned") {
    TurnedBox box;
    CHECK(box.inverted() > 4);
    box.look();
    CHECK(box.inverted() > 4);
    box.look();
    CHECK(box.inverted() == 0);
    CHECK(box.farthest_from_turned() < 1e-3);
}

TEST_CASE("laying out anew keeps momentum, and leaves held particles where they are") {
    TurnedBox box(true);
    Vec3d before{}, after{};
    AlignedVector<float>& u = box.assembly.state.displacement;
    const auto momentum = [&] {
        Vec3d sum{};
        for (std::uint32_t i = 0; i < box.assembly.model.places(); ++i) {
            const double w = box.position(i)[3];
            if (w > 0) sum = sum + Vec3d{u[4 * i], u[4 * i + 1], u[4 * i + 2]} * (1 / w);
        }
        return sum;
    };
    for (std::uint32_t i = 0; i < box.assembly.model.places(); ++i)
        u[4 * i + i % 3] = 1 + 0.1f * float(i % 7);
    before = momentum();
    const Vec3d held = box.at(box.inner);
    const std::uint64_t inverted = box.inverted();
    box.look();
    box.look();
    CHECK(box.inverted() < inverted);
    CHECK(length(box.at(box.corner) - box.turned(box.corner)) < 0.1);
    CHECK(box.at(box.inner) == held);
    after = momentum();
    CHECK(length(after - before) < 1e-5 * length(before));
}

TEST_CASE("what is inside out only now and then is left alone") {
    TurnedBox box;
    const Vec3d pushed = box.at(box.corner);
    box.look();
    box.set(box.corner, box.turned(box.corner));
    box.set(box.inner, box.turned(box.inner));
    box.look();
    box.set(box.corner, pushed);
    box.look();
    CHECK(box.at(box.corner) == pushed);
}

TEST_CASE("a crushed group is mended when hardly any of its tetrahedra are nearly flat") {
    TurnedBox box;
    State& state = box.assembly.state;
    crush(box.assembly.model, state, 0);
    for (std::uint32_t i = 0; i < box.assembly.model.places(); ++i) {
        const Vec3d x = box.turned(i);
        box.set(i, {x.x, x.y * 0.2, x.z});
    }
    for (int frame = 0; frame < 40; ++frame) look_at_crushed(box.assembly.model, state, box.executor);
    CHECK(state.crushed[0] == frames_of_recovery - 40);
    for (std::uint32_t i = 0; i < box.assembly.model.places(); ++i) box.set(i, box.turned(i));
    for (int frame = 0; frame < 20; ++frame) look_at_crushed(box.assembly.model, state, box.executor);
    CHECK(state.crushed[0] == 0);
}

TEST_CASE("what is inside out again and again is laid out so often and no more") {
    TurnedBox box;
    const Vec3d pushed = box.at(box.corner);
    int laid_out = 0;
    box.assembly.state.frame = 1;
    for (int i = 0; i < 200; ++i) {
        box.set(box.corner, pushed);
        box.look();
        laid_out += !(box.at(box.corner) == pushed);
    }
    CHECK(laid_out > 5);
    CHECK(laid_out <= most_tries);
    crush(box.assembly.model, box.assembly.state, 0);
    CHECK(box.assembly.state.tries[0] == most_tries);
}

TEST_CASE("the restraint leaves a crushed group one velocity, no faster than it fell") {
    TurnedBox box;
    State& state = box.assembly.state;
    state.crushed[0] = frames_of_recovery;
    const auto fill = [&](float y) {
        for (std::uint32_t i = 0; i < box.assembly.model.places(); ++i) {
            state.displacement[4 * i] = 0.01f * float(i % 5) - 0.02f;
            state.displacement[4 * i + 1] = y;
        }
    };
    fill(-1);
    Restraint restraint(box.assembly.model, state);
    REQUIRE(restraint.is_needed());
    fill(10);
    restraint.apply({0, -0.5, 0});
    for (std::uint32_t i : {box.corner, box.inner})
        CHECK(double(state.displacement[4 * i + 1]) == doctest::Approx(1.5).epsilon(1e-3));
    CHECK(state.displacement[4 * box.corner] == state.displacement[4 * box.inner]);
    fill(0.25f);
    restraint.apply({0, -0.5, 0});
    CHECK(double(state.displacement[4 * box.corner + 1]) == doctest::Approx(0.25).epsilon(1e-3));
}
