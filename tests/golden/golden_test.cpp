// The state of every particle after a while, as a hash: the same at every number of threads, on every
// instruction set, after saving and restoring; and the same as in hashes.h, so that compilers, machines
// and WebAssembly agree.
//
// When the arithmetic changes on purpose, scripts/update_golden_hashes writes hashes.h anew.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <map>

#include "golden/hashes.h"
#include "support/golden_scenes.h"

using namespace pliant;
using namespace pliant::test;

namespace {

std::uint64_t straight_hash(const GoldenScene& scene, const Execution& execution) {
    GoldenRun run(scene, execution);
    run.play(0, scene.frames);
    return run.simulation().state_hash();
}

using Executions = std::vector<Execution>;

Execution on(std::string_view target, int threads) {
    return {.threads = threads, .target = std::string(target), .runner = {}};
}

// Every lane width and every number of threads, but not each with each.
Executions some_executions() {
    Executions result;
#if defined(NDEBUG)
    for (const std::string_view target : available_targets()) result.push_back(on(target, 5));
    for (const int threads : {1, 2, 16}) result.push_back(on(available_targets().back(), threads));
#else  // under sanitizers and the like, what matters most
    for (const int threads : {1, 5}) result.push_back(on(available_targets().back(), threads));
#endif
    return result;
}

Executions all_executions() {
    Executions result;
    for (const std::string_view target : available_targets()) {
        for (const int threads : {1, 2, 5, 16}) result.push_back(on(target, threads));
    }
    return result;
}

struct Hashes {
    std::uint64_t straight, restored;
};

// One run to the end, and its second half again from a state saved halfway. Where a player runs it, whose
// events are no part of the state, the second is a run that was taken astray halfway and brought back.
Hashes both_hashes(const GoldenScene& scene, const Execution& execution) {
    GoldenRun run(scene, execution);
    const int half = scene.frames / 2;
    Hashes hashes{};
    if (run.has_player()) {
        run.play(0, scene.frames);
        hashes.straight = run.simulation().state_hash();
        run.reset();
    }
    run.play(0, half);
    const auto saved = run.simulation().save();
    if (run.has_player()) {
        for (int frame = 0; frame < 5; ++frame) run.simulation().step();
    } else {
        run.play(half, scene.frames);
        hashes.straight = run.simulation().state_hash();
    }
    succeed(run.simulation().restore(saved));
    run.play(half, scene.frames);
    hashes.restored = run.simulation().state_hash();
    const Diagnostics diagnostics = run.simulation().diagnostics();
    CHECK(diagnostics.repaired_particles == 0);
    CHECK((scene.name != "rescue" || diagnostics.rescues > 0));
    return hashes;
}

// Once for each scene: the narrowest lanes on one thread.
std::uint64_t reference_hash(const GoldenScene& scene) {
    static std::map<std::string, std::uint64_t> known;
    const auto found = known.find(scene.name);
    if (found != known.end()) return found->second;
    return known[scene.name] = straight_hash(scene, on("scalar", 1));
}

void check_same_bits(const Executions& executions) {
    for (const GoldenScene& scene : golden_scenes()) {
        const std::uint64_t expected = reference_hash(scene);
        for (const Execution& execution : executions) {
            CAPTURE(scene.name);
            CAPTURE(execution.target);
            CAPTURE(execution.threads);
            const Hashes hashes = both_hashes(scene, execution);
            CHECK(hashes.straight == expected);
            CHECK(hashes.restored == expected);
        }
    }
}

}  // namespace

TEST_CASE("states after a while are the golden ones, with every compiler and on every machine") {
    for (const GoldenScene& scene : golden_scenes()) {
        CAPTURE(scene.name);
        const auto golden = std::find_if(std::begin(golden_hashes), std::end(golden_hashes),
                                         [&](const GoldenHash& hash) { return hash.scene == scene.name; });
        REQUIRE_MESSAGE(golden != std::end(golden_hashes), "run scripts/update_golden_hashes");
        CHECK_MESSAGE(golden->hash == reference_hash(scene),
                      "the arithmetic changed; if on purpose, run scripts/update_golden_hashes");
    }
}

TEST_CASE("states are the same bit by bit at any number of threads, lane width, and after restoring") {
    check_same_bits(some_executions());
}

TEST_CASE("longer run: states are the same bit by bit at every number of threads with every lane width" *
          doctest::skip()) {
    check_same_bits(all_executions());
}

TEST_CASE("an own runner gives the same bits as a thread team") {
    const ThreadRunner backwards = [](int count, const std::function<void(int)>& job) {
        for (int i = count - 1; i >= 0; --i) job(i);
    };
    for (const GoldenScene& scene :
         {GoldenScene{"c100", 12}, GoldenScene{"mixed", 60}, GoldenScene{"events", 150}}) {
        CAPTURE(scene.name);
        CHECK(straight_hash(scene, {.threads = 4, .target = {}, .runner = backwards}) ==
              reference_hash(scene));
    }
}

TEST_CASE("a reset simulation repeats its run bit by bit") {
    for (const GoldenScene& scene :
         {GoldenScene{"drape", 60}, GoldenScene{"mixed_pbd", 60}, GoldenScene{"events", 150}}) {
        CAPTURE(scene.name);
        GoldenRun run(scene, {});
        for (int frame = 0; frame < 15; ++frame) run.step();
        run.reset();
        run.play(0, scene.frames);
        CHECK(run.simulation().state_hash() == reference_hash(scene));
    }
}

// For scripts/update_golden_hashes.
TEST_CASE("print the golden hashes" * doctest::skip()) {
    std::printf(
        "// Written by scripts/update_golden_hashes.\n#pragma once\n\n#include <cstdint>\n#include "
        "<string_view>\n\nstruct GoldenHash {\n    std::string_view scene;\n    std::uint64_t hash;\n};\n\n"
        "// clang-format off\ninline constexpr GoldenHash golden_hashes[] = {\n");
    for (const GoldenScene& scene : golden_scenes()) {
        std::printf("    {\"%s\", 0x%016llx},\n", scene.name.c_str(),
                    static_cast<unsigned long long>(reference_hash(scene)));
    }
    std::printf("};\n// clang-format on\n");
}
