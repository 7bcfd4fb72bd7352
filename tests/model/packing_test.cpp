// Blocks of 16 without a common moving particle, and the layout of a model.
#include "model/packing.h"

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

namespace {

template <class F>
void for_every_model(F&& check) {
    for (const Graph& graph : all_graphs()) {
        CAPTURE(graph.name);
        check(graph, make_model(graph.input));
    }
}

template <class Kind>
auto sorted_constraints(const ConstraintSet& set) {
    const auto& list = std::get<ConstraintList<Kind>>(set);
    std::vector<std::tuple<std::array<std::uint32_t, Kind::arity>, std::array<float, Kind::parameters>,
                           std::uint32_t>>
        all;
    for (std::size_t i = 0; i < list.size(); ++i)
        all.emplace_back(list.particles[i], list.parameters[i], list.elasticity[i]);
    std::sort(all.begin(), all.end());
    return all;
}

// How often a moving place occurs again in the same block or, of pairs, in the one that follows in a run.
template <class Kind>
std::size_t conflicts_in_blocks(const Model& model) {
    const Batch<Kind>& batch = std::get<Batch<Kind>>(model.batches);
    std::size_t conflicts = 0;
    std::vector<std::uint32_t> seen, previous;
    for (const Run& run : batch.runs) {
        std::size_t i = 0;
        batch.for_each_in(run, [&](const auto& places, const auto&, std::uint32_t elasticity) {
            CHECK(elasticity == run.elasticity);
            if (i++ >= run.blocks * block_size) return;  // single ones run one after the other
            if (i == 1) seen.clear();
            if (i % block_size == 1) previous = std::exchange(seen, {});
            for (const std::uint32_t place : places) {
                if (!model.free[place]) continue;
                conflicts += std::find(seen.begin(), seen.end(), place) != seen.end();
                if (Kind::central_pair)
                    conflicts += std::find(previous.begin(), previous.end(), place) != previous.end();
                seen.push_back(place);
            }
        });
        CHECK(i == run.blocks * block_size + run.singles);
    }
    return conflicts;
}

double share_in_blocks(const Model& model) {
    std::size_t in_blocks = 0;
    for_each_list(model.batches, [&](const auto& batch) { in_blocks += batch.blocks() * block_size; });
    return static_cast<double>(in_blocks) / static_cast<double>(model.constraints());
}

template <class Kind>
double bytes_per_constraint(const Model& model) {
    const Batch<Kind>& batch = std::get<Batch<Kind>>(model.batches);
    return static_cast<double>(batch.bytes()) / static_cast<double>(batch.size());
}

}  // namespace

TEST_CASE("a model holds every constraint exactly once, and lists them as they were given") {
    for_every_model([](const Graph& graph, const Model& model) {
        const ConstraintSet listed = list_constraints(model);
        std::size_t count = 0;
        AllKinds::for_each([&]<class Kind>() {
            const auto expected = sorted_constraints<Kind>(graph.input.constraints);
            CHECK((sorted_constraints<Kind>(listed) == expected));
            CHECK(std::get<Batch<Kind>>(model.batches).size() == expected.size());
            count += expected.size();
        });
        CHECK(model.constraints() == count);
    });
}

TEST_CASE(
    "no two constraints of a block, or pairs of blocks that follow each other, share a moving particle") {
    for_every_model([](const Graph&, const Model& model) {
        AllKinds::for_each([&]<class Kind>() { CHECK(conflicts_in_blocks<Kind>(model) == 0); });
    });
}

TEST_CASE("work items of a phase share no moving particle, over all kinds") {
    for_every_model([](const Graph&, const Model& model) {
        constexpr std::uint32_t none = 0xffffffff;
        std::vector<std::uint32_t> owner[2] = {std::vector<std::uint32_t>(model.places(), none),
                                               std::vector<std::uint32_t>(model.places(), none)};
        std::size_t shared = 0;
        AllKinds::for_each([&]<class Kind>() {
            const Batch<Kind>& batch = std::get<Batch<Kind>>(model.batches);
            REQUIRE(batch.item_runs.size() == 2 * model.slabs + 1);
            CHECK(batch.item_runs.back() == batch.runs.size());
            for (std::uint32_t item = 0; item < 2 * model.slabs; ++item) {
                auto& owners = owner[item < model.slabs ? 0 : 1];
                for (std::size_t r = batch.item_runs[item]; r < batch.item_runs[item + 1]; ++r) {
                    batch.for_each_in(batch.runs[r], [&](const auto& places, const auto&, std::uint32_t) {
                        for (const std::uint32_t place : places) {
                            if (!model.free[place]) continue;
                            shared += owners[place] != none && owners[place] != item;
                            owners[place] = item;
                        }
                    });
                }
            }
        });
        CHECK(shared == 0);
    });
}

TEST_CASE("particles, masses and groups of a model stand at their places") {
    for_every_model([](const Graph& graph, const Model& model) {
        REQUIRE(model.place.size() == graph.particles());
        CHECK(model.places() % block_size == 0);
        std::size_t wrong = 0;
        for (std::uint32_t i = 0; i < graph.particles(); ++i) {
            const std::uint32_t place = model.place[i];
            const Group& group = model.groups.at(graph.input.groups[i]);
            wrong += model.order[place] != i;
            wrong += model.free[place] != graph.input.moves[i];
            wrong += model.inverse_masses[place] != graph.input.inverse_masses[i];
            wrong += place < group.first || place >= group.first + group.count;
        }
        CHECK(wrong == 0);
        REQUIRE(model.slab_chunks.size() == model.slabs + 1);
        CHECK(model.slab_chunks.back() == model.chunks.size());
        // Chunks cover every place once, and each output chunk has one group.
        std::vector<int> covered(model.places(), 0), shown(model.visible, 0);
        for (const ParticleChunk& chunk : model.chunks) {
            CHECK(chunk.first % block_size == 0);
            CHECK(chunk.count % block_size == 0);
            for (std::uint32_t i = chunk.first; i < chunk.first + chunk.count; ++i) ++covered.at(i);
        }
        for (const ParticleChunk& chunk : model.output_chunks) {
            for (std::uint32_t i = chunk.first; i < chunk.first + chunk.count; ++i) {
                ++shown.at(i);
                wrong += graph.input.groups[i] != chunk.group;
            }
        }
        CHECK(wrong == 0);
        CHECK(std::count(covered.begin(), covered.end(), 1) == static_cast<std::ptrdiff_t>(covered.size()));
        CHECK(std::count(shown.begin(), shown.end(), 1) == static_cast<std::ptrdiff_t>(shown.size()));
    });
}

TEST_CASE("nearly all constraints of large bodies are in full blocks") {
    for (const char* name : {"c100", "j20", "c90", "c110"}) {
        CAPTURE(name);
        CHECK(share_in_blocks(make_model(graph_of_scene(name).input)) >= 0.97);
    }
    CHECK(share_in_blocks(make_model(hub(5000, true).input)) >= 0.97);  // a pinned hub never conflicts
    CHECK(share_in_blocks(make_model(hub(5000, false).input)) == 0);    // a moving one always does
}

TEST_CASE("a constraint takes 4 bytes for each particle and parameter, and hardly more") {
    const Model cloth = make_model(graph_of_scene("c100").input),
                box = make_model(graph_of_scene("j20").input);
    CHECK(bytes_per_constraint<kinds::Distance>(cloth) <= 12.1);
    CHECK(bytes_per_constraint<kinds::Distance>(box) <= 12.1);
    CHECK(bytes_per_constraint<kinds::Volume>(box) <= 20.1);
}

TEST_CASE("a packer returns every constraint of a run once, blocks first, and can be used again") {
    RandomSource random(6);
    Packer packer(300);
    std::vector<std::uint8_t> moves(300);
    for (auto& m : moves) m = !random.chance(0.2);
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
            const PackingInput input{members, arity, moves};
            const Packing packing = packer.pack(input, run);
            REQUIRE(packing.blocks * block_size <= count);
            CHECK(std::accumulate(packing.segments.begin(), packing.segments.end(), 0u) == packing.blocks);
            for (std::size_t block = 0; block < packing.blocks; ++block) {
                std::set<std::uint32_t> used;
                std::size_t moving = 0;
                for (std::size_t i = 0; i < block_size * arity; ++i) {
                    const std::uint32_t id = packing.order[block * block_size + i / arity];
                    const std::uint32_t place = members[id * arity + i % arity];
                    if (!moves[place]) continue;
                    used.insert(place);
                    ++moving;
                }
                CHECK(used.size() == moving);
            }
            std::vector<std::uint32_t> sorted = packing.order;
            std::sort(sorted.begin(), sorted.end());
            CHECK(sorted == run);
            CHECK(packer.pack(input, run).order == packing.order);
        }
    }
}
