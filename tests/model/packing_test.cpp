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
    std::vector<std::tuple<std::array<std::uint32_t, Kind::arity>, bool, std::array<float, Kind::parameters>,
                           std::uint32_t>>
        all;
    for (std::size_t i = 0; i < list.size(); ++i) {
        // In ascending order, and whether that is an odd permutation, which would invert a volume.
        auto particles = list.particles[i];
        bool odd = false;
        for (std::size_t end = particles.size(); end > 1; --end) {
            for (std::size_t k = 1; k < end; ++k) {
                if (particles[k - 1] <= particles[k]) continue;
                std::swap(particles[k - 1], particles[k]);
                odd = !odd;
            }
        }
        all.emplace_back(particles, odd && Kind::arity > 2, list.parameters[i], list.elasticity[i]);
    }
    std::sort(all.begin(), all.end());
    return all;
}

// How often a moving place occurs again in the same block or, of pairs, in the one that follows in a run.
template <class Visit>
std::size_t conflicts_in_blocks(const Model& model) {
    const Batch<Visit>& batch = std::get<Batch<Visit>>(model.batches);
    std::size_t conflicts = 0, visits = 0;
    for (const Run& run : batch.runs) {
        std::vector<std::uint32_t> seen, previous;
        for (std::size_t b = 0; b < run.blocks; ++b) {
            previous = std::exchange(seen, {});
            const std::uint32_t* offsets =
                batch.block_offsets.data() + (run.first_block + b) * Visit::arity * block_size;
            for (std::size_t i = 0; i < Visit::arity * block_size; ++i) {
                const std::size_t place = offsets[i] / bytes_per_particle;
                if (place >= model.places()) {  // an empty lane
                    conflicts += place * floats_per_particle >= model.floats();
                    continue;
                }
                if (!model.free[place]) continue;
                conflicts += std::find(seen.begin(), seen.end(), place) != seen.end();
                if (Visit::is_pair)
                    conflicts += std::find(previous.begin(), previous.end(), place) != previous.end();
                seen.push_back(static_cast<std::uint32_t>(place));
            }
        }
        batch.for_each_visit(run, [&](const auto&, const auto&) { ++visits; });
    }
    CHECK(visits == batch.visits());
    return conflicts;
}

double share_one_by_one(const Model& model) {
    std::size_t singles = 0, visits = 0;
    for_each_list(model.batches, [&](const auto& batch) {
        singles += batch.singles();
        visits += batch.visits();
    });
    return static_cast<double>(singles) / static_cast<double>(visits);
}

double bytes_per_constraint(const Model& model) {
    std::size_t bytes = 0;
    for_each_list(model.batches, [&](const auto& batch) { bytes += batch.bytes(); });
    return static_cast<double>(bytes) / static_cast<double>(model.constraints());
}

}  // namespace

TEST_CASE("a model holds every constraint exactly once, and lists them all") {
    for_every_model([](const Graph& graph, const Model& model) {
        const ConstraintSet listed = list_constraints(model);
        std::size_t count = 0;
        AllKinds::for_each([&]<class Kind>() {
            const auto expected = sorted_constraints<Kind>(graph.input.constraints);
            CHECK((sorted_constraints<Kind>(listed) == expected));
            count += expected.size();
        });
        CHECK(model.constraints() == count);
    });
}

TEST_CASE(
    "no two constraints of a block, or pairs of blocks that follow each other, share a moving particle") {
    for_every_model([](const Graph&, const Model& model) {
        AllVisits::for_each([&]<class Visit>() { CHECK(conflicts_in_blocks<Visit>(model) == 0); });
    });
}

TEST_CASE("work items of a phase share no moving particle, over all kinds") {
    for_every_model([](const Graph&, const Model& model) {
        constexpr std::uint32_t none = 0xffffffff;
        std::vector<std::uint32_t> owner[2] = {std::vector<std::uint32_t>(model.places(), none),
                                               std::vector<std::uint32_t>(model.places(), none)};
        std::size_t shared = 0;
        AllVisits::for_each([&]<class Visit>() {
            const Batch<Visit>& batch = std::get<Batch<Visit>>(model.batches);
            REQUIRE(batch.item_runs.size() == 2 * model.slabs + 1);
            CHECK(batch.item_runs.back() == batch.runs.size());
            for (std::uint32_t item = 0; item < 2 * model.slabs; ++item) {
                auto& owners = owner[item < model.slabs ? 0 : 1];
                for (std::size_t r = batch.item_runs[item]; r < batch.item_runs[item + 1]; ++r) {
                    batch.for_each_visit(batch.runs[r], [&](const auto& places, const auto&) {
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

TEST_CASE("hardly any constraint of a large body runs one by one") {
    for (const char* name : {"c100", "j20", "c90", "c110"}) {
        CAPTURE(name);
        CHECK(share_one_by_one(make_model(graph_of_scene(name).input)) <= 0.005);
    }
    CHECK(share_one_by_one(make_model(hub(5000, true).input)) <= 0.005);  // a pinned hub never conflicts
    CHECK(share_one_by_one(make_model(hub(5000, false).input)) == 1);     // a moving one always does
}

TEST_CASE(
    "constraints take less than 4 bytes for each particle and parameter, since visits share particles") {
    CHECK(bytes_per_constraint(make_model(graph_of_scene("c100").input)) <= 8.5);  // alone: 12
    const Model box = make_model(graph_of_scene("j20").input);
    const double edges = 59660, volumes = 48000;
    CHECK(bytes_per_constraint(box) <= 0.8 * (12 * edges + 20 * volumes) / (edges + volumes));
    // What no other constraint shares enough with takes its 12 bytes, and little more.
    CHECK(bytes_per_constraint(make_model(chain(60000).input)) <= 12.2);
    CHECK(bytes_per_constraint(make_model(hub(5000, false).input)) <= 12.1);
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
            const auto padding = std::count(packing.order.begin(), packing.order.end(), Packing::padding);
            REQUIRE(packing.order.size() == count + static_cast<std::size_t>(padding));
            CHECK(std::accumulate(packing.segments.begin(), packing.segments.end(), 0u) == packing.blocks);
            for (std::size_t block = 0; block < packing.blocks; ++block) {
                std::set<std::uint32_t> used;
                std::size_t moving = 0;
                for (std::size_t i = 0; i < block_size * arity; ++i) {
                    const std::uint32_t id = packing.order[block * block_size + i / arity];
                    if (id == Packing::padding) continue;
                    const std::uint32_t place = members[id * arity + i % arity];
                    if (!moves[place]) continue;
                    used.insert(place);
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
