// Neighbours, components and boundary loops of triangle meshes.
#include <doctest/doctest.h>
#include <pliant/mesh.h>
#include <pliant/shapes.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "support/meshes.h"
#include "support/random_source.h"

using namespace pliant;
using namespace pliant::test;

namespace {

using Sides = std::array<std::uint32_t, 3>;

std::size_t edges_in(const std::vector<BoundaryLoop>& loops) {
    std::size_t count = 0;
    for (const BoundaryLoop& loop : loops) count += loop.vertices.size() - (loop.closed ? 0 : 1);
    return count;
}

}  // namespace

TEST_CASE("nothing has no neighbours, components or boundary") {
    CHECK(triangle_neighbours({}).empty());
    CHECK(connected_components({}).count == 0);
    CHECK(boundary_loops({}).empty());
}

TEST_CASE("two triangles meet at the sides with the same ends") {
    // Side 1 of the first (1–2) and side 2 of the second (2–1).
    const std::vector<Triangle> pair{{0, 1, 2}, {1, 3, 2}};
    const auto neighbours = triangle_neighbours(pair);
    CHECK(neighbours[0] == Sides{no_neighbour, 3 * 1 + 2, no_neighbour});
    CHECK(neighbours[1] == Sides{no_neighbour, no_neighbour, 3 * 0 + 1});
    CHECK(connected_components(pair).count == 1);
    const auto loops = boundary_loops(pair);
    REQUIRE(loops.size() == 1);
    CHECK(loops[0].vertices == std::vector<std::uint32_t>{0, 1, 3, 2});
    CHECK(loops[0].closed);
}

TEST_CASE("three triangles on an edge have several neighbours there, and boundaries end at it") {
    const std::vector<Triangle> book{{0, 1, 2}, {0, 1, 3}, {1, 0, 4}};
    const auto neighbours = triangle_neighbours(book);
    for (const Sides& sides : neighbours)
        CHECK(sides == Sides{several_neighbours, no_neighbour, no_neighbour});
    CHECK(connected_components(book).count == 1);
    const auto loops = boundary_loops(book);
    REQUIRE(loops.size() == 3);
    CHECK(loops[0].vertices == std::vector<std::uint32_t>{1, 2, 0});
    CHECK(loops[1].vertices == std::vector<std::uint32_t>{1, 3, 0});
    CHECK(loops[2].vertices == std::vector<std::uint32_t>{0, 4, 1});
    for (const BoundaryLoop& loop : loops) CHECK_FALSE(loop.closed);
}

TEST_CASE("a triangle with a repeated corner is nobody's neighbour") {
    const std::vector<Triangle> triangles{{0, 1, 2}, {1, 0, 0}, {1, 0, 3}};
    const auto neighbours = triangle_neighbours(triangles);
    CHECK(neighbours[0][0] == 6);
    CHECK(neighbours[1] == Sides{no_neighbour, no_neighbour, no_neighbour});
    CHECK(connected_components(triangles).count == 2);
    CHECK(edges_in(boundary_loops(triangles)) == 4);
}

TEST_CASE("at a vertex where two parts touch, each boundary goes on along its own part") {
    const std::vector<Triangle> bow_tie{{0, 1, 2}, {0, 3, 4}};
    CHECK(connected_components(bow_tie).count == 2);
    CHECK(connected_components(bow_tie).of_triangle == std::vector<std::uint32_t>{0, 1});
    const auto loops = boundary_loops(bow_tie);
    REQUIRE(loops.size() == 2);
    CHECK(loops[0].vertices == std::vector<std::uint32_t>{0, 1, 2});
    CHECK(loops[1].vertices == std::vector<std::uint32_t>{0, 3, 4});
}

TEST_CASE("known surfaces have the known boundaries") {
    CHECK(boundary_loops(make_sheet(1, 1, 7, 5)->triangles).size() == 1);
    CHECK(edges_in(boundary_loops(make_sheet(1, 1, 7, 5)->triangles)) == 24);
    const auto tube = boundary_loops(make_tube(1, 1, 9, 4)->triangles);
    CHECK(tube.size() == 2);
    CHECK(edges_in(tube) == 18);
    CHECK(boundary_loops(make_icosphere(1, 4)->triangles).empty());
    // A Möbius strip has one boundary, twice as long as the strip.
    const auto strip = boundary_loops(moebius_strip(11).triangles);
    REQUIRE(strip.size() == 1);
    CHECK(strip[0].closed);
    CHECK(strip[0].vertices.size() == 22);
}

TEST_CASE("on random triangles neighbours, components and boundaries keep to their definitions") {
    RandomSource random(3);
    for (int round = 0; round < 300; ++round) {
        const std::vector<Triangle> triangles = random_soup(random, false).triangles;
        // Uses of every edge, by brute force.
        std::map<std::set<std::uint32_t>, std::vector<std::uint32_t>> uses;
        for (std::uint32_t t = 0; t < triangles.size(); ++t) {
            const Triangle& c = triangles[t];
            if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) continue;
            for (std::uint32_t k = 0; k < 3; ++k) uses[{c[k], c[(k + 1) % 3]}].push_back(3 * t + k);
        }
        const auto neighbours = triangle_neighbours(triangles);
        const Components components = connected_components(triangles);
        std::size_t single = 0;
        for (const auto& [edge, sides] : uses) {
            single += sides.size() == 1;
            for (const std::uint32_t side : sides) {
                const std::uint32_t expected = sides.size() == 1   ? no_neighbour
                                               : sides.size() == 2 ? sides[side == sides[0]]
                                                                   : several_neighbours;
                CHECK(neighbours[side / 3][side % 3] == expected);
                CHECK(components.of_triangle[side / 3] == components.of_triangle[sides[0] / 3]);
            }
        }
        // Every edge of one triangle is part of exactly one loop.
        std::multiset<std::set<std::uint32_t>> walked;
        for (const BoundaryLoop& loop : boundary_loops(triangles)) {
            const std::size_t n = loop.vertices.size();
            for (std::size_t i = 0; i + (loop.closed ? 0 : 1) < n; ++i) {
                walked.insert({loop.vertices[i], loop.vertices[(i + 1) % n]});
            }
        }
        CHECK(walked.size() == single);
        for (const auto& [edge, sides] : uses) CHECK(walked.count(edge) == (sides.size() == 1 ? 1 : 0));
        // Numbered in order of appearance.
        std::uint32_t seen = 0;
        for (const std::uint32_t component : components.of_triangle) {
            CHECK(component <= seen);
            seen = std::max(seen, component + 1);
        }
        CHECK(seen == components.count);
    }
}

TEST_CASE("longer run: the topology of a million triangles takes about a second at most" * doctest::skip()) {
    const std::vector<Triangle> triangles = make_torus_surface(2, 1, 1000, 500)->triangles;
    const auto seconds = [](auto&& work) {
        const auto start = std::chrono::steady_clock::now();
        work();
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    // Natively 0.25 s each; sanitizers and WebAssembly take several times as long.
    CHECK(seconds([&] { CHECK(unique_edges(triangles).size() == 1500000); }) < 5);
    CHECK(seconds([&] { CHECK(triangle_neighbours(triangles).size() == 1000000); }) < 5);
    CHECK(seconds([&] { CHECK(connected_components(triangles).count == 1); }) < 5);
    CHECK(seconds([&] { CHECK(boundary_loops(triangles).empty()); }) < 5);
}
