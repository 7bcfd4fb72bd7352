// Which constraints share a cluster.
#include "constraints/clusters.h"

#include <doctest/doctest.h>

#include <ctime>
#include <set>

#include "support/graphs.h"

using namespace pliant;
using namespace pliant::test;

namespace {

template <class Cluster>
const ClusterList<Cluster>& clusters(const ClusterSet& set) {
    return std::get<ClusterList<Cluster>>(set);
}

ClusterSet clustered(const Graph& graph) { return make_clusters(graph.model.constraints, graph.particles()); }

// Particles 0 … count − 1, each linked with each; part(a, b) is the material of each link.
template <class F>
Graph complete_graph(std::uint32_t count, F&& part) {
    Graph graph{"complete", {}};
    for (std::uint32_t i = 0; i < count; ++i) graph.add_particle({static_cast<float>(i), 0, 0});
    for (std::uint32_t a = 0; a < count; ++a) {
        for (std::uint32_t b = a + 1; b < count; ++b) graph.add<kinds::Distance>({b, a}, part(a, b));
    }
    return graph;
}

}  // namespace

TEST_CASE("most constraints of a box and of a cloth share their particles with others") {
    const Graph box = graph_of_scene("j20"), cloth = graph_of_scene("c100");
    const double edges = static_cast<double>(list_of<kinds::Distance>(box.model.constraints).size());
    const double links = static_cast<double>(list_of<kinds::Distance>(cloth.model.constraints).size());
    CHECK(2 * static_cast<double>(clusters<TetrahedronWithEdges>(clustered(box)).size()) >= 0.9 * edges);
    CHECK(6 * static_cast<double>(clusters<SixLinks>(clustered(cloth)).size()) >= 0.7 * links);
}

TEST_CASE("six links join if all but one have the same material, and the odd one is the second part") {
    for (std::uint32_t odd_a = 0; odd_a < 4; ++odd_a) {
        for (std::uint32_t odd_b = odd_a + 1; odd_b < 4; ++odd_b) {
            const ClusterSet set =
                clustered(complete_graph(4, [&](std::uint32_t a, std::uint32_t b) -> std::uint32_t {
                    return a == odd_a && b == odd_b ? 7 : 3;
                }));
            const ClusterList<SixLinks>& six = clusters<SixLinks>(set);
            REQUIRE(six.size() == 1);
            CHECK(six.parts[0] == ClusterParts{3, 7});
            CHECK(std::set{six.particles[0][2], six.particles[0][3]} == std::set{odd_a, odd_b});
            CHECK(clusters<Single<kinds::Distance>>(set).size() == 0);
            // All six, each where its stage joins it.
            SixLinks::for_each_stage([&]<class Stage, int stage, int>() {
                const std::uint32_t p = six.particles[0][Stage::members[0]],
                                    q = six.particles[0][Stage::members[1]];
                const std::uint32_t a = std::min(p, q), b = std::max(p, q);
                const std::uint32_t number = a == 0 ? b - 1 : a == 1 ? b + 1 : 5;
                CHECK(six.sources[0][stage] == number);
            });
        }
    }
    const ClusterSet two_kinds =
        clustered(complete_graph(4, [](std::uint32_t a, std::uint32_t) { return a % 2; }));
    CHECK(clusters<SixLinks>(two_kinds).size() == 0);
    CHECK(clusters<Single<kinds::Distance>>(two_kinds).size() == 6);
}

TEST_CASE("a tetrahedron takes only edges of one material, and keeps its orientation") {
    Graph graph{"one tetrahedron", {}};
    for (int i = 0; i < 4; ++i) graph.add_particle({static_cast<float>(i), 0, 0});
    graph.add<kinds::Volume>({0, 1, 2, 3}, 5);
    graph.add<kinds::Distance>({0, 1}, 1);
    graph.add<kinds::Distance>({2, 3}, 2);
    graph.add<kinds::Distance>({3, 1}, 2);
    graph.add<kinds::Distance>({0, 2}, 2);
    const ClusterSet set = clustered(graph);
    const auto& tetrahedra = clusters<TetrahedronWithEdges>(set);
    REQUIRE(tetrahedra.size() == 1);
    CHECK(tetrahedra.parts[0] == ClusterParts{2, 5});
    CHECK(tetrahedra.particles[0] == std::array<std::uint32_t, 4>{0, 2, 3, 1});  // an even permutation
    CHECK(tetrahedra.sources[0] == std::array<std::uint32_t, 3>{3, 2, 0});
    CHECK(clusters<Single<kinds::Distance>>(set).size() == 2);
}

TEST_CASE("links that are there twice are all kept") {
    Graph graph = complete_graph(4, [](std::uint32_t, std::uint32_t) { return 0; });
    for (int i = 0; i < 3; ++i) graph.add<kinds::Distance>({1, 0});
    const ClusterSet set = clustered(graph);
    CHECK(clusters<SixLinks>(set).size() == 1);
    CHECK(clusters<Single<kinds::Distance>>(set).size() == 3);
}

TEST_CASE("where everything is linked with everything, or with one particle, the search stays short") {
    const std::clock_t started = std::clock();
    clustered(complete_graph(700, [](std::uint32_t a, std::uint32_t b) { return (a * 7 + b * 13) % 5; }));
    clustered(hub(300000, false));
    CHECK((std::clock() - started) / CLOCKS_PER_SEC < 20);  // 0.4 s natively, of this process alone
}

namespace {

// Two formulas that read one Rest: what a tetrahedron with a shape and a volume energy needs.
struct SharedRest
    : ClusterOf<4, Stage<kinds::Volume, 0, 0, 1, 2, 3>, SharesRest<0, Stage<kinds::Volume, 1, 1, 0, 3, 2>>,
                Stage<kinds::Distance, 0, 0, 1>> {};

struct RestsOfList {
    const ConstraintSet& set;
    template <class Kind>
    const auto& of() const {
        return list_of<Kind>(set).rests;
    }
};

}  // namespace

TEST_CASE("stages of a cluster may share one rest, which is then stored once") {
    static_assert(SharedRest::rest_values == 2);
    static_assert(SharedRest::first_values == std::array<int, 3>{0, 0, 1});
    ConstraintSet set;
    list_of<kinds::Volume>(set).add({0, 1, 2, 3}, {7}, 0);
    list_of<kinds::Volume>(set).add({0, 1, 2, 3}, {8}, 0);
    list_of<kinds::Distance>(set).add({0, 1}, {9}, 0);
    const auto values = rest_values_of<SharedRest>({1, 1, 0}, RestsOfList{set});
    CHECK(values == std::array<float, 2>{8, 9});
}
