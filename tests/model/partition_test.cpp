// The cut for threads: what makes two phases a sweep without races, whatever the topology.
#include "model/partition.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/particle_layout.h"
#include "support/graphs.h"

using namespace pliant;
using namespace pliant::test;

namespace {

Partition partition_of(const Graph& graph) {
    return make_partition(graph.input.constraints, graph.input.positions, graph.input.groups);
}

template <class F>
void for_every_graph(F&& check) {
    for (const Graph& graph : all_graphs()) {
        CAPTURE(graph.name);
        check(graph, partition_of(graph));
    }
}

// Calls f(lowest slab, highest slab, particles) for every constraint.
template <class F>
void for_every_constraint(const Graph& graph, const Partition& partition, F&& f) {
    for_each_list(graph.input.constraints, [&](const auto& list) {
        for (const auto& particles : list.particles) {
            std::uint32_t low = partition.slab[particles[0]], high = low;
            for (const std::uint32_t p : particles) {
                low = std::min(low, partition.slab[p]);
                high = std::max(high, partition.slab[p]);
            }
            f(low, high, particles);
        }
    });
}

}  // namespace

TEST_CASE("every particle lies in one slab, and no slab is empty") {
    for_every_graph([](const Graph& graph, const Partition& partition) {
        REQUIRE(partition.slab.size() == graph.particles());
        std::vector<std::size_t> sizes(partition.slabs, 0);
        std::size_t outside = 0;
        for (const std::uint32_t slab : partition.slab) {
            if (slab < partition.slabs) {
                ++sizes[slab];
            } else {
                ++outside;
            }
        }
        CHECK(outside == 0);
        CHECK(std::count(sizes.begin(), sizes.end(), 0u) == 0);
    });
}

TEST_CASE("every constraint lies within one slab or across two neighbours") {
    for_every_graph([](const Graph& graph, const Partition& partition) {
        std::size_t wrong = 0;
        for_every_constraint(graph, partition, [&](std::uint32_t low, std::uint32_t high, const auto&) {
            wrong += high > low + 1;
        });
        CHECK(wrong == 0);
    });
}

TEST_CASE("no two seams share a particle") {
    for_every_graph([](const Graph& graph, const Partition& partition) {
        constexpr std::uint32_t none = 0xffffffff;
        std::vector<std::uint32_t> seam(graph.particles(), none);
        std::size_t shared = 0;
        for_every_constraint(graph, partition,
                             [&](std::uint32_t low, std::uint32_t high, const auto& particles) {
                                 if (low == high) return;
                                 for (const std::uint32_t p : particles) {
                                     shared += seam[p] != none && seam[p] != low;
                                     seam[p] = low;
                                 }
                             });
        CHECK(shared == 0);
    });
}

TEST_CASE("order and place are inverse, and what is not a particle is padding") {
    for_every_graph([](const Graph& graph, const Partition& partition) {
        REQUIRE(partition.place.size() == graph.particles());
        std::size_t wrong = 0, padding = 0;
        for (std::uint32_t i = 0; i < graph.particles(); ++i) {
            REQUIRE(partition.place[i] < partition.order.size());
            wrong += partition.order[partition.place[i]] != i;
        }
        for (const std::uint32_t particle : partition.order) padding += particle == Partition::padding;
        CHECK(wrong == 0);
        CHECK(padding == partition.order.size() - graph.particles());
    });
}

TEST_CASE("a group's places lie together, and in it a slab's, which start at a multiple of 16") {
    for_every_graph([](const Graph& graph, const Partition& partition) {
        CHECK(partition.order.size() % block_size == 0);
        using Piece = std::pair<std::uint32_t, std::uint32_t>;  // group and slab
        std::vector<Piece> pieces;
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < partition.order.size(); ++i) {
            const std::uint32_t particle = partition.order[i];
            if (particle == Partition::padding) {
                wrong += i % block_size == 0;  // only behind a particle of the same block
                continue;
            }
            const Piece piece{graph.input.groups[particle], partition.slab[particle]};
            const bool begins = pieces.empty() || pieces.back() != piece;
            if (begins) pieces.push_back(piece);
            wrong += begins && i % block_size != 0;
            wrong += !begins && partition.order[i - 1] == Partition::padding;
        }
        CHECK(wrong == 0);
        // Each piece once; a group's pieces next to each other.
        CHECK(std::set<Piece>(pieces.begin(), pieces.end()).size() == pieces.size());
        std::size_t changes = 1;
        for (std::size_t i = 1; i < pieces.size(); ++i) changes += pieces[i].first != pieces[i - 1].first;
        CHECK(changes == graph.input.sizes.size());
    });
}

TEST_CASE("large bodies are cut into several slabs, small ones are not cut") {
    const auto largest_share = [](const Graph& graph) {
        const Partition partition = partition_of(graph);
        std::vector<double> work(partition.slabs, 0);
        double all = 0;
        for_each_list(graph.input.constraints, [&](const auto& list) {
            for (const auto& particles : list.particles) {
                for (const std::uint32_t p : particles) {
                    work[partition.slab[p]] += 1;
                    all += 1;
                }
            }
        });
        return std::pair(partition.slabs, *std::max_element(work.begin(), work.end()) / all);
    };
    const auto [cloth_slabs, cloth_share] = largest_share(graph_of_scene("c100"));
    CHECK(cloth_slabs >= 4);
    CHECK(cloth_share < 2.0 / cloth_slabs);
    // Levels of a box grow away from the corner where they begin, and few levels make few slabs.
    const auto [box_slabs, box_share] = largest_share(graph_of_scene("j20"));
    CHECK(box_slabs >= 4);
    CHECK(box_share < 0.4);
    CHECK(partition_of(graph_of_scene("rope")).slabs == 1);
    CHECK(partition_of(many_pairs(500)).slabs == 1);
}

TEST_CASE("a partition is the same every time") {
    for (const Graph& graph : {graph_of_scene("c40"), random_graph(3, 2000, 4000)}) {
        const Partition first = partition_of(graph), second = partition_of(graph);
        CHECK(first.order == second.order);
        CHECK(first.slab == second.slab);
    }
}
