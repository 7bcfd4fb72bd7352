// All pairs within a distance, against looking at every pair.
#include <doctest/doctest.h>
#include <pliant/neighbours.h>

#include <algorithm>
#include <limits>
#include <string>

#include "support/random_source.h"

using namespace pliant;
using pliant::test::RandomSource;

namespace {

using Pairs = std::vector<std::array<std::uint32_t, 2>>;

std::vector<Vec3> random_points(std::size_t count, double size, unsigned seed) {
    RandomSource random(seed);
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < count; ++i) points.push_back(random.point_float(static_cast<float>(size)));
    return points;
}

Pairs all_pairs(const std::vector<Vec3>& points, float distance) {
    Pairs pairs;
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        for (std::uint32_t j = i + 1; j < points.size(); ++j) {
            const Vec3 d = points[j] - points[i];
            if ((d.x * d.x + d.y * d.y) + d.z * d.z <= distance * distance) pairs.push_back({i, j});
        }
    }
    return pairs;
}

Pairs in_order(Pairs pairs) {
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

}  // namespace

TEST_CASE("neighbours are all pairs within the distance, each once, dense or scattered") {
    for (const double size : {0.01, 0.3, 1.0, 10.0, 1000.0, 1e6}) {
        for (const std::size_t count : {2, 3, 100, 1000}) {
            CAPTURE(size);
            CAPTURE(count);
            std::vector<Vec3> points = random_points(count, size, 3);
            // Some pairs even where points are far apart; some exactly at the distance.
            for (std::size_t i = 0; i + 2 < count; i += 3) {
                points[i] = points[i + 1] + Vec3{0.1f, 0, 0};
                points[i + 2] = points[i + 1] - Vec3{0, 0, 0.05f};
            }
            const auto found = neighbours(points, 0.2f);
            REQUIRE(found);
            CHECK(in_order(*found) == all_pairs(points, 0.2f));
        }
    }
}

TEST_CASE("neighbours far from the origin and along a line are found, though cells share numbers") {
    std::vector<Vec3> points;
    for (int i = 0; i < 3000; ++i) points.push_back({static_cast<float>(i) * 0.75f - 1000, 5000.0f, -700.0f});
    for (int i = 0; i < 500; ++i)
        points.push_back({7.0f, static_cast<float>(i) * 131.0f, static_cast<float>(i) * 0.5f});
    const auto found = neighbours(points, 1.0f);
    REQUIRE(found);
    CHECK(in_order(*found) == all_pairs(points, 1.0f));
}

TEST_CASE("neighbours have the same order at any number of threads") {
    const std::vector<Vec3> points = random_points(20000, 3, 5);
    const auto one = neighbours(points, 0.2f);
    REQUIRE(one);
    CHECK(one->size() > 10000);
    for (const int threads : {2, 3, 7}) {
        NeighbourOptions options;
        options.threads = threads;
        const auto several = neighbours(points, 0.2f, options);
        REQUIRE(several);
        CHECK(*several == *one);
    }
}

TEST_CASE("a million points in one place are an Error at once") {
    const auto found = neighbours(std::vector<Vec3>(1000000, Vec3{1, 2, 3}), 0.1f);
    REQUIRE(!found);
    CHECK(found.error().path == "points");
    CHECK(found.error().message.find("50000000 pairs") != std::string::npos);
    // With fewer, it stops where the limit is passed.
    NeighbourOptions options;
    options.most_pairs = 100000;
    CHECK(!neighbours(std::vector<Vec3>(1000, Vec3{1, 2, 3}), 0.1f, options));
    CHECK(neighbours(std::vector<Vec3>(400, Vec3{1, 2, 3}), 0.1f, options)->size() == 400 * 399 / 2);
}

TEST_CASE("neighbours of bad points or at a bad distance are an Error") {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN(),
                    infinity = std::numeric_limits<float>::infinity();
    const std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}};
    for (const float distance : {0.0f, -1.0f, nan, infinity}) {
        const auto found = neighbours(points, distance);
        REQUIRE(!found);
        CHECK(found.error().path == "distance");
    }
    for (const float bad : {nan, infinity, 2e9f}) {
        const auto found = neighbours(std::vector<Vec3>{{0, 0, 0}, {0, bad, 0}}, 1.0f);
        REQUIRE(!found);
        CHECK(found.error().path == "points/1");
    }
    CHECK(neighbours(std::vector<Vec3>{}, 1.0f)->empty());
    CHECK(neighbours(std::vector<Vec3>{{1, 1, 1}}, 1.0f)->empty());
}
