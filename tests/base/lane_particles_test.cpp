// Loading, storing and transposing particles.
#define PLIANT_TARGET lane_particles_under_test  // a namespace of its own
#include <doctest/doctest.h>

#include <cstring>
#include <type_traits>
#include <vector>

#include "base/particle_lanes.h"
#include "support/lane_widths.h"
#include "support/nasty_floats.h"

using namespace pliant;
using namespace pliant::test;
namespace lanes = pliant::lane_particles_under_test;

namespace {

constexpr std::size_t particles = 64;

std::vector<float> any_particles() {
    RandomSource random(8);
    std::vector<float> all(particles * floats_per_particle);
    for (float& a : all) a = any_float(random);
    return all;
}

// `count` different particles in any order, as byte offsets.
std::vector<std::uint32_t> scattered(RandomSource& random, std::size_t count) {
    std::vector<std::uint32_t> all;
    for (std::size_t i = 0; i < particles; ++i)
        all.push_back(static_cast<std::uint32_t>(i * bytes_per_particle));
    for (std::size_t i = 0; i < count; ++i) std::swap(all[i], all[i + random.below(particles - i)]);
    all.resize(count);
    return all;
}

template <int N>
void check_lane(lanes::Lane<N> lane, const std::vector<float>& all, const std::vector<std::uint32_t>& offsets,
                std::size_t component) {
    float values[N];
    lanes::store<N>(values, lane);
    for (std::size_t i = 0; i < N; ++i) {
        CHECK(same_number(values[i], all[offsets[i] / sizeof(float) + component]));
    }
}

}  // namespace

TEST_CASE("loaded particles have their coordinates and inverse masses in their lanes") {
    const std::vector<float> all = any_particles();
    for_every_width([&](auto width) {
        constexpr int n = width();
        RandomSource random(9);
        for (int round = 0; round < 20; ++round) {
            const auto offsets = scattered(random, n);
            const auto at = [&](int i) { return offsets[static_cast<std::size_t>(i)]; };
            const auto loaded = lanes::load_particles<n>(all.data(), at);
            check_lane<n>(loaded.x, all, offsets, 0);
            check_lane<n>(loaded.y, all, offsets, 1);
            check_lane<n>(loaded.z, all, offsets, 2);
            check_lane<n>(loaded.w, all, offsets, 3);
        }
    });
}

TEST_CASE("particles that are loaded and stored again keep every bit, and others are not touched") {
    const std::vector<float> all = any_particles();
    for_every_width([&](auto width) {
        constexpr int n = width();
        RandomSource random(10);
        for (int round = 0; round < 20; ++round) {
            const auto from = scattered(random, n), to = scattered(random, n);
            std::vector<float> target(all.size(), 7.0f), expected = target;
            const auto loaded = lanes::load_particles<n>(
                all.data(), [&](int i) { return from[static_cast<std::size_t>(i)]; });
            lanes::store_particles<n>(
                target.data(), [&](int i) { return to[static_cast<std::size_t>(i)]; }, loaded);
            for (std::size_t i = 0; i < n; ++i) {
                std::memcpy(reinterpret_cast<char*>(expected.data()) + to[i],
                            reinterpret_cast<const char*>(all.data()) + from[i], bytes_per_particle);
            }
            std::size_t wrong = 0;
            for (std::size_t i = 0; i < all.size(); ++i) wrong += !same_number(target[i], expected[i]);
            CHECK(wrong == 0);
        }
    });
}

TEST_CASE("transposing exchanges rows and columns of each four lanes, and twice changes nothing") {
    const auto check = [](auto width) {
        constexpr int n = width();
        CAPTURE(n);
        using Int = typename lanes::Vec<n>::Int;
        Int rows[4];
        for (int r = 0; r < 4; ++r) {
            for (int i = 0; i < n; ++i) rows[r][i] = 100 * r + i;
        }
        lanes::detail::transpose<n>(rows);
        for (int r = 0; r < 4; ++r) {
            for (int i = 0; i < n; ++i) CHECK(int(rows[r][i]) == 100 * (i % 4) + i / 4 * 4 + r);
        }
        lanes::detail::transpose<n>(rows);
        for (int r = 0; r < 4; ++r) {
            for (int i = 0; i < n; ++i) CHECK(int(rows[r][i]) == 100 * r + i);
        }
    };
    check(std::integral_constant<int, 4>());
}
