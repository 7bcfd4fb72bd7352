// The cut for threads: what makes two phases a sweep without races, whatever the topology.
#include "solvers/position_based/subdomains.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/particle_layout.h"
#include "support/graphs.h"

using namespace pliant;
using namespace pliant::test;
using namespace pliant::solvers::position_based;

namespace {

Subdomains subdomains_of(const Graph& graph) {
    return make_subdomains(graph.model.constraints, graph.model.rest_positions, graph.model.island_of);
}

template <class F>
void for_every_graph(F&& check) {
    for (const Graph& graph : all_graphs()) {
        CAPTURE(graph.name);
        check(graph, subdomains_of(graph));
    }
}

// Calls f(lowest subdomain, highest subdomain, particles) for every constraint.
template <class F>
void for_every_constraint(const Graph& graph, const Subdomains& cut, F&& f) {
    for_each_list(graph.model.constraints, [&](const auto& list) {
        for (const auto& particles : list.particles) {
            std::uint32_t low = cut.subdomain_of[particles[0]], high = low;
            for (const std::uint32_t p : particles) {
                low = std::min(low, cut.subdomain_of[p]);
                high = std::max(high, cut.subdomain_of[p]);
            }
            f(low, high, particles);
        }
    });
}

}  // namespace

TEST_CASE("every particle lies in one subdomain, and no subdomain is empty") {
    for_every_graph([](const Graph& graph, const Subdomains& cut) {
        REQUIRE(cut.subdomain_of.size() == graph.particles());
        std::vector<std::size_t> sizes(cut.count, 0);
        std::size_t outside = 0;
        for (const std::uint32_t subdomain : cut.subdomain_of) {
            if (subdomain < cut.count) {
                ++sizes[subdomain];
            } else {
                ++outside;
            }
        }
        CHECK(outside == 0);
        CHECK(std::count(sizes.begin(), sizes.end(), 0u) == 0);
    });
}

TEST_CASE("every constraint lies within one subdomain or across two neighbours") {
    for_every_graph([](const Graph& graph, const Subdomains& cut) {
        std::size_t wrong = 0;
        for_every_constraint(
            graph, cut, [&](std::uint32_t low, std::uint32_t high, const auto&) { wrong += high > low + 1; });
        CHECK(wrong == 0);
    });
}

TEST_CASE("no two interfaces share a particle") {
    for_every_graph([](const Graph& graph, const Subdomains& cut) {
        constexpr std::uint32_t none = 0xffffffff;
        std::vector<std::uint32_t> interface(graph.particles(), none);
        std::size_t shared = 0;
        for_every_constraint(graph, cut, [&](std::uint32_t low, std::uint32_t high, const auto& particles) {
            if (low == high) return;
            for (const std::uint32_t p : particles) {
                shared += interface[p] != none && interface[p] != low;
                interface[p] = low;
            }
        });
        CHECK(shared == 0);
    });
}

TEST_CASE("particle_at and slot_of are inverse, and what is not a particle is padding") {
    for_every_graph([](const Graph& graph, const Subdomains& cut) {
        REQUIRE(cut.slot_of.size() == graph.particles());
        std::size_t wrong = 0, padding = 0;
        for (std::uint32_t i = 0; i < graph.particles(); ++i) {
            REQUIRE(cut.slot_of[i] < cut.particle_at.size());
            wrong += cut.particle_at[cut.slot_of[i]] != i;
        }
        for (const std::uint32_t particle : cut.particle_at) padding += particle == Subdomains::padding;
        CHECK(wrong == 0);
        CHECK(padding == cut.particle_at.size() - graph.particles());
    });
}

TEST_CASE("an island's slots lie together, and in it a subdomain's, which start at a multiple of 16") {
    for_every_graph([](const Graph& graph, const Subdomains& cut) {
        CHECK(cut.particle_at.size() % block_size == 0);
        using Piece = std::pair<std::uint32_t, std::uint32_t>;  // island and subdomain
        std::vector<Piece> pieces;
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < cut.particle_at.size(); ++i) {
            const std::uint32_t particle = cut.particle_at[i];
            if (particle == Subdomains::padding) {
                wrong += i % block_size == 0;  // only behind a particle of the same block
                continue;
            }
            const Piece piece{graph.model.island_of[particle], cut.subdomain_of[particle]};
            const bool begins = pieces.empty() || pieces.back() != piece;
            if (begins) pieces.push_back(piece);
            wrong += begins && i % block_size != 0;
            wrong += !begins && cut.particle_at[i - 1] == Subdomains::padding;
        }
        CHECK(wrong == 0);
        // Each piece once; an island's pieces next to each other.
        CHECK(std::set<Piece>(pieces.begin(), pieces.end()).size() == pieces.size());
        std::size_t changes = 1;
        for (std::size_t i = 1; i < pieces.size(); ++i) changes += pieces[i].first != pieces[i - 1].first;
        CHECK(changes == graph.model.islands.size());
    });
}

TEST_CASE("large bodies are cut into several subdomains, small ones are not cut") {
    const auto largest_share = [](const Graph& graph) {
        const Subdomains cut = subdomains_of(graph);
        std::vector<double> work(cut.count, 0);
        double all = 0;
        for_each_list(graph.model.constraints, [&](const auto& list) {
            for (const auto& particles : list.particles) {
                for (const std::uint32_t p : particles) {
                    work[cut.subdomain_of[p]] += 1;
                    all += 1;
                }
            }
        });
        return std::pair(cut.count, *std::max_element(work.begin(), work.end()) / all);
    };
    const auto [cloth_subdomains, cloth_share] = largest_share(graph_of_scene("c100"));
    CHECK(cloth_subdomains >= 4);
    CHECK(cloth_share < 2.0 / cloth_subdomains);
    // Levels of a box grow away from the corner where they begin, and few levels make few subdomains.
    const auto [box_subdomains, box_share] = largest_share(graph_of_scene("j20"));
    CHECK(box_subdomains >= 4);
    CHECK(box_share < 0.4);
    CHECK(subdomains_of(graph_of_scene("rope")).count == 1);
    CHECK(subdomains_of(many_pairs(500)).count == 1);
}

TEST_CASE("the cut is the same every time") {
    for (const Graph& graph : {graph_of_scene("c40"), random_graph(3, 2000, 4000)}) {
        const Subdomains first = subdomains_of(graph), second = subdomains_of(graph);
        CHECK(first.particle_at == second.particle_at);
        CHECK(first.subdomain_of == second.subdomain_of);
    }
}
