// Where a simulation runs changes nothing in the result.
#include <pliant/shapes.h>

#include <doctest/doctest.h>

#include <ctime>

#include "scenes/scenes.h"
#include "support/mixed_scene.h"

#if !defined(__EMSCRIPTEN__)
#include <chrono>
#include <thread>
#endif

using namespace pliant;
using namespace pliant::test;

namespace {

Description busy_scene() {
    Description scene = mixed_scene();
    Cloth cloth;
    cloth.mesh = *make_sheet(2, 2, 40, 40);
    scene.bodies.push_back(body_of(std::move(cloth), {0, 4, 0}, {0, 40}));
    scene.settings.damping = 0.05f;
    return scene;
}

std::uint64_t hash_after(const Description& scene, const Execution& execution, int frames = 20) {
    Simulation simulation = start(scene, execution);
    run(simulation, frames);
    return simulation.state_hash();
}

Execution with_runner(ThreadRunner runner) {
    Execution execution;
    execution.runner = std::move(runner);
    return execution;
}

}  // namespace

TEST_CASE("every target and any number of threads gives the same bits") {
    const Description scene = busy_scene();
    const std::uint64_t expected = hash_after(scene, on_threads(1));
    for (const std::string_view target : available_targets()) {
        for (const int threads : {1, 2, 5}) {
            CAPTURE(std::string(target));
            CAPTURE(threads);
            Execution execution = on_threads(threads);
            execution.target = std::string(target);
            CHECK(hash_after(scene, execution) == expected);
        }
    }
}

TEST_CASE("a simulation says where it runs") {
    Execution execution = on_threads(1);
    execution.target = "scalar";
    Simulation simulation = start(mixed_scene(), execution);
    CHECK(simulation.target() == "scalar");
    CHECK(simulation.threads() == 1);
    REQUIRE(!available_targets().empty());
    CHECK(available_targets().front() == "scalar");
}

TEST_CASE("an own runner gives the same bits, in whatever order it runs") {
    const Description scene = busy_scene();
    const std::uint64_t expected = hash_after(scene, on_threads(1));
    int calls = 0;
    const auto serial = [&](int count, const std::function<void(int)>& job) {
        ++calls;
        for (int i = 0; i < count; ++i) job(i);
    };
    const auto reversed = [](int count, const std::function<void(int)>& job) {
        for (int i = count; i-- > 0;) job(i);
    };
    CHECK(hash_after(scene, with_runner(serial)) == expected);
    CHECK(calls > 0);
    CHECK(hash_after(scene, with_runner(reversed)) == expected);
#if !defined(__EMSCRIPTEN__)
    const auto threaded = [](int count, const std::function<void(int)>& job) {
        std::thread other([&] {
            for (int i = 1; i < count; i += 2) job(i);
        });
        for (int i = 0; i < count; i += 2) job(i);
        other.join();
    };
    CHECK(hash_after(scene, with_runner(threaded), 5) == hash_after(scene, on_threads(1), 5));
#endif
}

#if !defined(__EMSCRIPTEN__)

TEST_CASE("two simulations in two threads run as each alone") {
    Description first = busy_scene(), second = *scenes::make("c40");
    const std::uint64_t expected[] = {hash_after(first, on_threads(2)), hash_after(second, on_threads(2))};
    std::uint64_t found[2] = {};
    std::thread other([&] {
        Result<Simulation> simulation = Simulation::create(second, on_threads(2));
        if (!simulation) return;
        run(*simulation, 20);
        found[1] = simulation->state_hash();
    });
    found[0] = hash_after(first, on_threads(2));
    other.join();
    CHECK(found[0] == expected[0]);
    CHECK(found[1] == expected[1]);
}

TEST_CASE("between steps no thread uses the processor") {
    Simulation simulation = start(busy_scene(), on_threads(4));
    run(simulation, 3);
    const std::clock_t before = std::clock();  // of all threads of the process
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    const double busy = double(std::clock() - before) / CLOCKS_PER_SEC;
    CHECK(busy < 0.2 * 0.3);
}

#endif
