// Which constraints share a visit.
#include "model/fuse.h"

#include <doctest/doctest.h>

#include <ctime>
#include <set>

#include "support/graphs.h"

using namespace pliant;
using namespace pliant::test;

namespace {

template <class Visit>
const VisitList<Visit>& visits(const VisitSet& set) {
    return std::get<VisitList<Visit>>(set);
}

VisitSet fused(const Graph& graph) { return fuse(graph.input.constraints, graph.particles()); }

// Particles 0 … count − 1, each linked with each; elasticity(a, b) of each link.
template <class F>
Graph complete_graph(std::uint32_t count, F&& elasticity) {
    Graph graph{"complete", {}};
    for (std::uint32_t i = 0; i < count; ++i) graph.add_particle({static_cast<float>(i), 0, 0});
    for (std::uint32_t a = 0; a < count; ++a) {
        for (std::uint32_t b = a + 1; b < count; ++b) graph.add<kinds::Distance>({b, a}, elasticity(a, b));
    }
    return graph;
}

}  // namespace

TEST_CASE("most constraints of a box and of a cloth share their particles with others") {
    const Graph box = graph_of_scene("j20"), cloth = graph_of_scene("c100");
    const double edges =
        static_cast<double>(std::get<ConstraintList<kinds::Distance>>(box.input.constraints).size());
    const double links =
        static_cast<double>(std::get<ConstraintList<kinds::Distance>>(cloth.input.constraints).size());
    CHECK(2 * static_cast<double>(visits<TetrahedronWithEdges>(fused(box)).size()) >= 0.9 * edges);
    CHECK(6 * static_cast<double>(visits<SixLinks>(fused(cloth)).size()) >= 0.7 * links);
}

TEST_CASE("six links join if all but one have the same elasticity, and the odd one has the second slot") {
    for (std::uint32_t odd_a = 0; odd_a < 4; ++odd_a) {
        for (std::uint32_t odd_b = odd_a + 1; odd_b < 4; ++odd_b) {
            const VisitSet set =
                fused(complete_graph(4, [&](std::uint32_t a, std::uint32_t b) -> std::uint32_t {
                    return a == odd_a && b == odd_b ? 7 : 3;
                }));
            const VisitList<SixLinks>& six = visits<SixLinks>(set);
            REQUIRE(six.size() == 1);
            CHECK(six.elasticities[0] == SlotElasticities{3, 7});
            CHECK(std::set{six.particles[0][2], six.particles[0][3]} == std::set{odd_a, odd_b});
            CHECK(visits<Alone<kinds::Distance>>(set).size() == 0);
            // A link's rest length is its number in the list: all six, each where its stage joins it.
            SixLinks::for_each_stage([&]<class Stage, int, int parameter>() {
                const std::uint32_t p = six.particles[0][Stage::members[0]],
                                    q = six.particles[0][Stage::members[1]];
                const std::uint32_t a = std::min(p, q), b = std::max(p, q);
                const std::uint32_t number = a == 0 ? b - 1 : a == 1 ? b + 1 : 5;
                CHECK(six.parameters[0][parameter] == static_cast<float>(number));
            });
        }
    }
    const VisitSet two_kinds = fused(complete_graph(4, [](std::uint32_t a, std::uint32_t) { return a % 2; }));
    CHECK(visits<SixLinks>(two_kinds).size() == 0);
    CHECK(visits<Alone<kinds::Distance>>(two_kinds).size() == 6);
}

TEST_CASE("a tetrahedron takes only edges of one elasticity, and keeps its orientation") {
    Graph graph{"one tetrahedron", {}};
    for (int i = 0; i < 4; ++i) graph.add_particle({static_cast<float>(i), 0, 0});
    graph.add<kinds::Volume>({0, 1, 2, 3}, 5);
    graph.add<kinds::Distance>({0, 1}, 1);
    graph.add<kinds::Distance>({2, 3}, 2);
    graph.add<kinds::Distance>({3, 1}, 2);
    graph.add<kinds::Distance>({0, 2}, 2);
    const VisitSet set = fused(graph);
    const auto& fused_visits = visits<TetrahedronWithEdges>(set);
    REQUIRE(fused_visits.size() == 1);
    CHECK(fused_visits.elasticities[0] == SlotElasticities{2, 5});
    CHECK(fused_visits.particles[0] == std::array<std::uint32_t, 4>{0, 2, 3, 1});  // an even permutation
    CHECK(fused_visits.parameters[0] == std::array<float, 3>{3, 2, 0});
    CHECK(visits<Alone<kinds::Distance>>(set).size() == 2);
}

TEST_CASE("links that are there twice are all kept") {
    Graph graph = complete_graph(4, [](std::uint32_t, std::uint32_t) { return 0; });
    for (int i = 0; i < 3; ++i) graph.add<kinds::Distance>({1, 0});
    const VisitSet set = fused(graph);
    CHECK(visits<SixLinks>(set).size() == 1);
    CHECK(visits<Alone<kinds::Distance>>(set).size() == 3);
}

TEST_CASE("where everything is linked with everything, or with one particle, the search stays short") {
    const std::clock_t started = std::clock();
    fused(complete_graph(700, [](std::uint32_t a, std::uint32_t b) { return (a * 7 + b * 13) % 5; }));
    fused(hub(300000, false));
    CHECK((std::clock() - started) / CLOCKS_PER_SEC < 20);  // 0.4 s natively, of this process alone
}
