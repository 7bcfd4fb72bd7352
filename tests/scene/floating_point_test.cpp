// What a host program sets for floating point changes no bit of a simulation. WebAssembly has nothing to set.
#if !defined(__EMSCRIPTEN__)

#include <doctest/doctest.h>

#include <cfenv>

#include "support/full_scene.h"
#include "support/golden_scenes.h"
#include "support/simulations.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace pliant;
using namespace pliant::test;

namespace {

// Calls of all sorts on a simulation, and a scene file with motions and events.
std::uint64_t hash_of_all(const Description& description) {
    Simulation simulation = start(description);
    run(simulation, 5);
    succeed(simulation.set_velocity(3, {0.3f, 0.1f, 1e-40f}));
    succeed(simulation.translate("block", {0.1, 1.0 / 3, 0.7}));
    succeed(simulation.squash("block", 0.3));
    succeed(simulation.set_force(20, {0.1f, 0.2f, 0.3f}));
    succeed(simulation.move_attachment(2, {0.7, 2.1, 1.0 / 3}));
    succeed(simulation.move_collider(1, Sphere{{0.3, 0.7, 0.1}, 0.35f}));
    const auto grabbed = simulation.grab({0.1, 1.3, 0.2});
    REQUIRE(bool(grabbed));
    succeed(simulation.drag(*grabbed, {0.2, 1.1, 1.0 / 7}));
    run(simulation, 3);
    succeed(simulation.release(*grabbed));
    const auto saved = simulation.save();
    succeed(simulation.restore(saved));
    run(simulation, 5);

    const auto scene = parse_scene(full_scene, {.name = "full", .directory = PLIANT_SOURCE_DIR});
    REQUIRE_MESSAGE(scene, scene.error().text());
    auto player = Player::create(*scene, on_threads(1));
    REQUIRE_MESSAGE(player, player.error().text());
    for (int frame = 0; frame < 20; ++frame) succeed(player->step());
    return simulation.state_hash() * 31 + player->simulation().state_hash();
}

}  // namespace

TEST_CASE("simulations and scenes are the same bits in every rounding mode of the host") {
    const Description description = mixed_scene(Method::xpbd);  // made before the host sets anything
    const std::uint64_t expected = hash_of_all(description);
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        CAPTURE(mode);
        std::fesetround(mode);
        const std::uint64_t found = hash_of_all(description);
        const int after = std::fegetround();
        std::fesetround(FE_TONEAREST);
        CHECK(found == expected);
        CHECK(after == mode);
    }
}

#if defined(__x86_64__)

TEST_CASE("simulations and scenes are the same bits with denormals flushed to zero by the host") {
    const Description description = mixed_scene(Method::xpbd);  // made before the host sets anything
    const std::uint64_t expected = hash_of_all(description);
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040);
    const std::uint64_t found = hash_of_all(description);
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    CHECK(found == expected);
    CHECK((after & 0x8040) == 0x8040);
}

#endif

#endif
