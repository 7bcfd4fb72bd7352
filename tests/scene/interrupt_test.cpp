// A step that is told to end.
#include <doctest/doctest.h>

#include <atomic>

#include "support/mixed_scene.h"

#if !defined(__EMSCRIPTEN__)
#include <chrono>
#include <thread>
#endif

using namespace pliant;
using namespace pliant::test;

#if !defined(__EMSCRIPTEN__)  // has no thread that could interrupt another

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

TEST_CASE("an interrupted step ends soon and leaves a simulation that is finite and can go on") {
    for (const float damping : {0.0f, 0.1f}) {
        CAPTURE(damping);
        std::atomic<bool> interrupt{false};
        Execution execution = on_threads(2);
        execution.interrupt = &interrupt;
        Simulation simulation = start(mixed_scene(), execution);
        run(simulation, 5);
        const double before = simulation.view().time;

        // A frame that would take hours.
        Settings endless = simulation.settings();
        const Settings usual = endless;
        endless.substeps = 100000;
        endless.iterations = 100000;
        endless.damping = damping;
        succeed(simulation.configure(endless));
        std::atomic<Clock::rep> set_at{0};
        std::thread other([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            set_at = Clock::now().time_since_epoch().count();
            interrupt = true;
        });
        simulation.step();
        const double waited = seconds_since(Clock::time_point(Clock::duration(set_at.load())));
        other.join();
        CHECK(waited < 1);
        CHECK(all_finite(simulation.view()));
        CHECK(simulation.view().frame == 6);
        CHECK(simulation.view().time > before);
        CHECK(simulation.view().time < before + double(endless.time_step));

        // It can be saved, restored and run on as usual, and does so alike.
        interrupt = false;
        succeed(simulation.configure(usual));
        const auto snapshot = simulation.save();
        run(simulation, 20);
        CHECK(all_finite(simulation.view()));
        CHECK(simulation.diagnostics().repaired_particles == 0);
        const std::uint64_t hash = simulation.state_hash();
        succeed(simulation.restore(snapshot));
        run(simulation, 20);
        CHECK(simulation.state_hash() == hash);
    }
}

#endif

TEST_CASE("a flag that is never set changes nothing") {
    const std::atomic<bool> interrupt{false};
    Execution execution = on_threads(1);
    execution.interrupt = &interrupt;
    Simulation watched = start(mixed_scene(), execution), other = start(mixed_scene());
    run(watched, 20);
    run(other, 20);
    CHECK(watched.state_hash() == other.state_hash());
}
