#include "mesh/topology/radix_sort.h"

#include <doctest/doctest.h>
#include <pliant/mesh.h>

#include <algorithm>
#include <cstddef>

using namespace pliant;

TEST_CASE("nothing has no edges, no neighbours, no surface") {
    CHECK(unique_edges(std::span<const Triangle>{}).empty());
    CHECK(unique_edges(std::span<const Tetrahedron>{}).empty());
    CHECK(opposite_vertices({}).empty());
    CHECK(surface_triangles({}).empty());
}

TEST_CASE("edges come once, ascending, whatever the order of the corners") {
    const std::vector<Triangle> triangles{{5, 2, 9}, {9, 2, 0}};
    CHECK(unique_edges(triangles) == std::vector<Edge>{{0, 2}, {0, 9}, {2, 5}, {2, 9}, {5, 9}});
    const std::vector<Tetrahedron> one{{3, 2, 1, 0}};
    CHECK(unique_edges(one) == std::vector<Edge>{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}});
}

TEST_CASE("indices may be as large as they get") {
    constexpr std::uint32_t big = 0xffffffff;
    const std::vector<Triangle> triangles{{big, 0, big - 1}, {big - 1, 7, big}};
    CHECK(unique_edges(triangles) ==
          std::vector<Edge>{{0, big - 1}, {0, big}, {7, big - 1}, {7, big}, {big - 1, big}});
    CHECK(opposite_vertices(triangles) == std::vector<Edge>{{0, 7}});
}

TEST_CASE("opposite vertices face each other across an inner edge") {
    CHECK(opposite_vertices(std::vector<Triangle>{{0, 1, 2}, {2, 1, 3}}) == std::vector<Edge>{{0, 3}});
    CHECK(opposite_vertices(std::vector<Triangle>{{0, 1, 2}}).empty());
    // Three triangles on an edge: in their order, each with the next.
    CHECK(opposite_vertices(std::vector<Triangle>{{0, 1, 4}, {1, 0, 2}, {0, 1, 3}}) ==
          std::vector<Edge>{{2, 4}, {2, 3}});
    // The same triangle twice: no vertex faces itself.
    CHECK(opposite_vertices(std::vector<Triangle>{{0, 1, 2}, {0, 1, 2}}).empty());
}

TEST_CASE("the surface of one tetrahedron is its four faces; a shared face is none") {
    CHECK(surface_triangles(std::vector<Tetrahedron>{{0, 1, 2, 3}}).size() == 4);
    const auto surface = surface_triangles(std::vector<Tetrahedron>{{0, 1, 2, 3}, {1, 2, 3, 4}});
    CHECK(surface.size() == 6);
    for (Triangle t : surface) {
        std::sort(t.begin(), t.end());
        CHECK(t != Triangle{1, 2, 3});
    }
}

TEST_CASE("radix sort orders by its keys and keeps the order of equals") {
    for (const std::uint32_t range : {1u, 2u, 50u, 3000u, 5000000u, 0xffffffffu}) {
        CAPTURE(range);
        std::vector<std::array<std::uint32_t, 3>> records;
        std::uint32_t random = 12345;
        for (std::uint32_t i = 0; i < 3000; ++i) {
            const auto draw = [&] { return (random = random * 1664525u + 1013904223u) % range; };
            const std::uint32_t a = draw(), b = draw();
            records.push_back({a, b, i});
        }
        auto expected = records;
        std::sort(expected.begin(), expected.end());  // the third word says where each one came
        mesh::radix_sort<2>(records);
        CHECK(records == expected);
    }
}
