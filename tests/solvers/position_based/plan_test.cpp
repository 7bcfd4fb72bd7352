// Blocks of 16 without a common dynamic particle, and the layout of a plan.
#include "solvers/position_based/plan.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "base/particle_layout.h"
#include "support/graphs.h"

using namespace pliant;
using namespace pliant::test;
using namespace pliant::solvers::position_based;

namespace {

template <class F>
void for_every_plan(F&& check) {
    for (const Graph& graph : all_graphs()) {
        CAPTURE(graph.name);
        check(graph, graph.plan());
    }
}

// Calls f(slots, sources) for every cluster.
template <class Cluster, class F>
void for_each_cluster(const Plan& plan, F&& f) {
    const auto& blocks = std::get<ClusterBlocks<Cluster>>(plan.clusters);
    for (const Run& run : blocks.runs) blocks.for_each_cluster(run, f);
}

// How often a dynamic slot occurs again in the same block or, of pairs, in the one that follows in a run.
template <class Cluster>
std::size_t conflicts_in_blocks(const Plan& plan) {
    const auto& batch = std::get<ClusterBlocks<Cluster>>(plan.clusters);
    std::size_t conflicts = 0, clusters = 0;
    for (const Run& run : batch.runs) {
        std::vector<std::uint32_t> seen, previous;
        for (std::size_t b = 0; b < run.blocks; ++b) {
            previous = std::exchange(seen, {});
            const std::uint32_t* offsets =
                batch.block_offsets.data() + (run.first_block + b) * Cluster::arity * block_size;
            for (std::size_t i = 0; i < Cluster::arity * block_size; ++i) {
                const std::size_t slot = offsets[i] / bytes_per_particle;
                if (slot >= plan.slots()) {  // an empty lane
                    conflicts += slot * floats_per_particle >= plan.floats();
                    continue;
                }
                if (!plan.is_dynamic[slot]) continue;
                conflicts += std::find(seen.begin(), seen.end(), slot) != seen.end();
                if (Cluster::is_pair)
                    conflicts += std::find(previous.begin(), previous.end(), slot) != previous.end();
                seen.push_back(static_cast<std::uint32_t>(slot));
            }
        }
        batch.for_each_cluster(run, [&](const auto&, const auto&) { ++clusters; });
    }
    CHECK(clusters == batch.cluster_count);
    return conflicts;
}

double share_one_by_one(const Plan& plan) {
    std::size_t remainder = 0, clusters = 0;
    for_each_list(plan.clusters, [&](const auto& blocks) {
        remainder += blocks.remainder();
        clusters += blocks.cluster_count;
    });
    return static_cast<double>(remainder) / static_cast<double>(clusters);
}

double bytes_per_constraint(const Plan& plan) {
    std::size_t bytes = 0, constraints = 0;
    for_each_list(plan.clusters, [&](const auto& blocks) {
        bytes += blocks.bytes();
        constraints += blocks.constraints();
    });
    return static_cast<double>(bytes) / static_cast<double>(constraints);
}

}  // namespace

TEST_CASE("a plan holds every constraint exactly once, on its own particles and with its own rest") {
    for_every_plan([](const Graph& graph, const Plan& plan) {
        std::size_t wrong = 0;
        AllKinds::for_each([&]<class Kind>() {
            const auto& list = list_of<Kind>(graph.model.constraints);
            std::vector<int> seen(list.size(), 0);
            AllClusters::for_each([&]<class Cluster>() {
                for_each_cluster<Cluster>(plan, [&](const auto& slots, const auto& sources) {
                    Cluster::for_each_stage([&]<class Stage, int number, int>() {
                        if constexpr (std::is_same_v<typename Stage::Kind, Kind>) {
                            const std::uint32_t constraint = sources[number];
                            ++seen.at(constraint);
                            // The same particles, up to an even permutation, which keeps a volume's sign.
                            std::array<std::uint32_t, Kind::arity> own = list.particles[constraint], here;
                            for (std::size_t k = 0; k < Kind::arity; ++k)
                                here[k] =
                                    plan.particle_at[slots[static_cast<std::size_t>(Stage::members[k])]];
                            int order = 0;
                            for (auto* members : {&own, &here}) {
                                for (std::size_t end = members->size(); end > 1; --end) {
                                    for (std::size_t k = 1; k < end; ++k) {
                                        if ((*members)[k - 1] <= (*members)[k]) continue;
                                        std::swap((*members)[k - 1], (*members)[k]);
                                        ++order;
                                    }
                                }
                            }
                            wrong += own != here || (Kind::arity > 2 && order % 2 != 0);
                        }
                    });
                });
            });
            CHECK(std::count(seen.begin(), seen.end(), 1) == static_cast<std::ptrdiff_t>(seen.size()));
        });
        CHECK(wrong == 0);
        // A constraint's rest is its number in the list, in all of its fields.
        AllClusters::for_each([&]<class Cluster>() {
            if constexpr (Cluster::stages == 1 && Cluster::rest_values > 0) {
                const auto& blocks = std::get<ClusterBlocks<Cluster>>(plan.clusters);
                for (std::size_t i = 0; i < blocks.remainder(); ++i)
                    wrong += blocks.rests.remainder[i * Cluster::rest_values] !=
                             static_cast<float>(blocks.remainder_sources[i]);
                for (std::size_t i = 0; i < blocks.block_sources.size(); ++i) {
                    if (blocks.block_sources[i] == ClusterBlocks<Cluster>::no_source) continue;
                    const std::size_t at =
                        i / block_size * Cluster::rest_values * block_size + i % block_size;
                    wrong += blocks.rests.blocks[at] != static_cast<float>(blocks.block_sources[i]);
                }
            }
        });
        CHECK(wrong == 0);
    });
}

TEST_CASE(
    "no two constraints of a block, or pairs of blocks that follow each other, share a dynamic particle") {
    for_every_plan([](const Graph&, const Plan& plan) {
        AllClusters::for_each([&]<class Cluster>() { CHECK(conflicts_in_blocks<Cluster>(plan) == 0); });
    });
}

TEST_CASE("work items of a phase share no dynamic particle, over all kinds") {
    for_every_plan([](const Graph&, const Plan& plan) {
        constexpr std::uint32_t none = 0xffffffff;
        std::vector<std::uint32_t> owner[2] = {std::vector<std::uint32_t>(plan.slots(), none),
                                               std::vector<std::uint32_t>(plan.slots(), none)};
        std::size_t shared = 0;
        AllClusters::for_each([&]<class Cluster>() {
            const auto& batch = std::get<ClusterBlocks<Cluster>>(plan.clusters);
            REQUIRE(batch.item_runs.size() == 2 * plan.subdomains + 1);
            CHECK(batch.item_runs.back() == batch.runs.size());
            for (std::uint32_t item = 0; item < 2 * plan.subdomains; ++item) {
                auto& owners = owner[item < plan.subdomains ? 0 : 1];
                for (std::size_t r = batch.item_runs[item]; r < batch.item_runs[item + 1]; ++r) {
                    batch.for_each_cluster(batch.runs[r], [&](const auto& slots, const auto&) {
                        for (const std::uint32_t slot : slots) {
                            if (!plan.is_dynamic[slot]) continue;
                            shared += owners[slot] != none && owners[slot] != item;
                            owners[slot] = item;
                        }
                    });
                }
            }
        });
        CHECK(shared == 0);
    });
}

TEST_CASE("particles and islands of a plan are at their slots") {
    for_every_plan([](const Graph& graph, const Plan& plan) {
        REQUIRE(plan.slot_of.size() == graph.particles());
        CHECK(plan.slots() % block_size == 0);
        std::size_t wrong = 0;
        for (std::uint32_t i = 0; i < graph.particles(); ++i) {
            const std::uint32_t slot = plan.slot_of[i];
            const IslandSlots& island = plan.islands.at(graph.model.island_of[i]);
            wrong += plan.particle_at[slot] != i;
            wrong += plan.is_dynamic[slot] != graph.model.is_dynamic[i];
            wrong += slot < island.first || slot >= island.first + island.count;
        }
        CHECK(wrong == 0);
        REQUIRE(plan.subdomain_chunks.size() == plan.subdomains + 1);
        CHECK(plan.subdomain_chunks.back() == plan.chunks.size());
        // Chunks cover every slot once, and each view chunk has one island.
        std::vector<int> covered(plan.slots(), 0), shown(graph.model.visible, 0);
        for (const ParticleChunk& chunk : plan.chunks) {
            CHECK(chunk.first % block_size == 0);
            CHECK(chunk.count % block_size == 0);
            for (std::uint32_t i = chunk.first; i < chunk.first + chunk.count; ++i) ++covered.at(i);
        }
        for (const ParticleChunk& chunk : plan.view_chunks) {
            for (std::uint32_t i = chunk.first; i < chunk.first + chunk.count; ++i) {
                ++shown.at(i);
                wrong += graph.model.island_of[i] != chunk.island;
            }
        }
        CHECK(wrong == 0);
        CHECK(std::count(covered.begin(), covered.end(), 1) == static_cast<std::ptrdiff_t>(covered.size()));
        CHECK(std::count(shown.begin(), shown.end(), 1) == static_cast<std::ptrdiff_t>(shown.size()));
    });
}

TEST_CASE("hardly any constraint of a large body runs one by one") {
    for (const char* name : {"c100", "j20", "c90", "c110"}) {
        CAPTURE(name);
        CHECK(share_one_by_one(graph_of_scene(name).plan()) <= 0.005);
    }
    CHECK(share_one_by_one(hub(5000, true).plan()) <= 0.005);  // a pinned hub never conflicts
    CHECK(share_one_by_one(hub(5000, false).plan()) == 1);     // a moving one always does
}

TEST_CASE(
    "constraints take less than 4 bytes for each particle and rest value, since clusters share particles") {
    CHECK(bytes_per_constraint(graph_of_scene("c100").plan()) <= 8.5);  // alone: 12
    const Plan box = graph_of_scene("j20").plan();
    const double edges = 59660, volumes = 48000;
    CHECK(bytes_per_constraint(box) <= 0.8 * (12 * edges + 20 * volumes) / (edges + volumes));
    // What no other constraint shares enough with takes its 12 bytes, and little more.
    CHECK(bytes_per_constraint(chain(60000).plan()) <= 12.2);
    CHECK(bytes_per_constraint(hub(5000, false).plan()) <= 12.1);
}

TEST_CASE("a packer returns every constraint of a run once, blocks first, and can be used again") {
    RandomSource random(6);
    Packer packer(300);
    std::vector<std::uint8_t> is_dynamic(300);
    for (auto& m : is_dynamic) m = !random.chance(0.2);
    for (const std::uint32_t arity : {1u, 2u, 3u, 4u}) {
        for (const std::size_t count : {0, 1, 15, 16, 17, 2047, 2049, 6000}) {
            CAPTURE(arity);
            CAPTURE(count);
            std::vector<std::uint32_t> members, run(count);
            for (std::size_t i = 0; i < count; ++i) {
                std::set<std::uint32_t> distinct;
                while (distinct.size() < arity) distinct.insert(random.index(300));
                members.insert(members.end(), distinct.begin(), distinct.end());
            }
            std::iota(run.begin(), run.end(), 0u);
            const PackingInput input{members, arity, is_dynamic};
            const Packing packing = packer.pack(input, run);
            const auto padding = std::count(packing.order.begin(), packing.order.end(), Packing::padding);
            REQUIRE(packing.order.size() == count + static_cast<std::size_t>(padding));
            CHECK(std::accumulate(packing.segments.begin(), packing.segments.end(), 0u) == packing.blocks);
            for (std::size_t block = 0; block < packing.blocks; ++block) {
                std::set<std::uint32_t> used;
                std::size_t moving = 0;
                for (std::size_t i = 0; i < block_size * arity; ++i) {
                    const std::uint32_t id = packing.order[block * block_size + i / arity];
                    if (id == Packing::padding) continue;
                    const std::uint32_t slot = members[id * arity + i % arity];
                    if (!is_dynamic[slot]) continue;
                    used.insert(slot);
                    ++moving;
                }
                CHECK(used.size() == moving);
            }
            std::vector<std::uint32_t> sorted = packing.order;
            std::sort(sorted.begin(), sorted.end());
            sorted.resize(count);  // padding comes last
            CHECK(sorted == run);
            CHECK(packer.pack(input, run).order == packing.order);
        }
    }
}
