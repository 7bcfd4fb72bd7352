// A step allocates nothing: after the first frames, what it needs is in the workspace.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "scene/assemble/assemble.h"
#include "solvers/position_based/dispatch.h"
#include "solvers/solver.h"
#include "support/golden_scenes.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PLIANT_OWN_ALLOCATOR 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define PLIANT_OWN_ALLOCATOR 0
#endif
#endif
#ifndef PLIANT_OWN_ALLOCATOR
#define PLIANT_OWN_ALLOCATOR 1  // sanitizers have one themselves
#endif

namespace {

std::atomic<bool> counts{false};
std::atomic<std::uint64_t> allocations{0};

}  // namespace

#if PLIANT_OWN_ALLOCATOR

namespace {

void* allocate(std::size_t bytes, std::size_t alignment) {
    if (counts.load(std::memory_order_relaxed)) allocations.fetch_add(1, std::memory_order_relaxed);
    const std::size_t whole = (bytes + alignment) / alignment * alignment;
    void* memory = alignment <= alignof(std::max_align_t) ? std::malloc(bytes + 1)
                                                          : std::aligned_alloc(alignment, whole);
    if (!memory) throw std::bad_alloc();
    return memory;
}

}  // namespace

// The array forms and those that do not throw call these. Not inline: compilers warn where they see that what
// comes from new goes to free.
void* operator new(std::size_t bytes) { return allocate(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return allocate(bytes, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}

#endif

using namespace pliant;
using namespace pliant::test;

namespace {

constexpr int warm_up = 3;  // frames

template <class F>
std::uint64_t allocations_in(F&& f) {
    const std::uint64_t before = allocations;
    counts = true;
    f();
    counts = false;
    return allocations - before;
}

// The state of a description, stepped without a Simulation, so that rests can be changed.
struct BareRun {
    explicit BareRun(const Description& description, int threads)
        : settings(description.settings), executor(threads, {}) {
        Result<Assembly> made = assemble(description);
        REQUIRE(bool(made));
        assembly = std::move(*made);
        for (const model::MaterialPart& part : assembly.model.parts) materials.push_back(part.at_start);
    }

    void step() {
        solvers::step(assembly.model, assembly.plan, assembly.state,
                      {settings, materials, *solvers::position_based::usable_kernels().back(), workspace,
                       executor, nullptr});
    }
    // Every link by a share longer or shorter than the model says.
    void stretch_links(float share) {
        using constraints::kinds::Distance;
        const auto& rests = constraints::list_of<Distance>(assembly.model.constraints).rests;
        for (std::size_t i = 0; i < rests.size(); ++i) {
            auto rest = rests[i];
            rest.length *= share;
            model::set_rest<Distance>(assembly.model, assembly.state, i, rest);
        }
    }

    Settings settings;
    Executor executor;
    Assembly assembly;
    std::vector<model::MaterialValues> materials;
    solvers::position_based::Workspace workspace;
};

}  // namespace

TEST_CASE("allocations are counted") {
    if (!PLIANT_OWN_ALLOCATOR) {
        MESSAGE("skipped: a sanitizer allocates");
        return;
    }
    CHECK(allocations_in([] { ::operator delete(::operator new(8)); }) == 1);
    CHECK(allocations_in(
              [] { ::operator delete(::operator new(8, std::align_val_t(64)), std::align_val_t(64)); }) == 1);
    CHECK(allocations_in([] {}) == 0);
}

TEST_CASE("a step allocates nothing after the first frames, on one thread or two") {
    // "mixed" is damped and iterated, and lets go of what was never coloured; c100 has several subdomains.
    const std::vector<GoldenScene> scenes{{"jelly"}, {"rope"},   {"drape"}, {"mixed"},   {"mixed_pbd"},
                                          {"wind"},  {"moving"}, {"j6"},    {"c100", 10}};
    for (const GoldenScene& scene : scenes) {
        for (const int threads : {1, 2}) {
            CAPTURE(scene.name);
            CAPTURE(threads);
            GoldenRun run(scene, on_threads(threads));
            std::uint64_t counted = 0;
            for (int frame = 0; frame < scene.frames; ++frame) {
                run.prepare_frame(frame);
                const std::uint64_t in_frame = allocations_in([&] { run.step(); });
                // A nail of its cloth is taken away: tethers are made anew.
                const bool is_let_go = scene.name == "mixed" && frame == 45;
                if (frame >= warm_up && !is_let_go) counted += in_frame;
            }
            CHECK(counted == 0);
        }
    }
}

// Lists of contacts grow while more bodies touch than ever before.
TEST_CASE("a step with contacts allocates nothing where it has been before, on one thread or two") {
    for (const char* name : {"contact", "safe", "grains", "strands", "elements", "rescue"}) {
        for (const int threads : {1, 2}) {
            CAPTURE(name);
            CAPTURE(threads);
            Simulation simulation = start(make_golden_scene(name), on_threads(threads));
            run(simulation, 40);
            simulation.reset();
            run(simulation, 1);
            CHECK(allocations_in([&] { run(simulation, 39); }) == 0);
        }
    }
}

TEST_CASE("changed rests are in force at once, and packing them allocates nothing after the first time") {
    for (const int threads : {1, 2}) {
        CAPTURE(threads);
        Description scene = mixed_scene(Method::xpbd);
        BareRun run(scene, threads);
        for (int frame = 0; frame < warm_up; ++frame) {
            run.stretch_links(1);
            run.step();
        }
        std::uint64_t counted = 0;
        for (int frame = 0; frame < 20; ++frame) {
            run.stretch_links(1 + 0.01f * static_cast<float>(frame));
            counted += allocations_in([&] { run.step(); });
        }
        CHECK(counted == 0);
    }
    // A link that became twice as long lets its particle hang twice as low.
    BareRun hanging(scene_of(tethered_particle({0, -1, 0}, 1)), 1);
    hanging.settings.damping = 0.5f;
    hanging.settings.drag = 0.2f;
    hanging.stretch_links(2);
    for (int frame = 0; frame < 300; ++frame) hanging.step();
    CHECK(relative_error(hanging.assembly.state.visible_positions[1].y, -2) < 1e-3);
}
