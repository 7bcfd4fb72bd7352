// The visits of one sort in the order in which they run, laid out for lanes.
//
// 4 bytes per particle and parameter, nothing else: a distance by itself takes 12, a volume 20, two distances
// and a volume together 28. Compliance and damping belong to the run; multipliers exist only while several
// iterations need them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "base/aligned.h"
#include "base/particle_layout.h"
#include "model/fuse.h"
#include "model/packing.h"
#include "model/partition.h"

namespace pliant {

// Visits that follow each other in a batch and have the same elasticities. Of pairs, no block has a moving
// particle in common with the next.
struct Run {
    SlotElasticities elasticities{};
    std::uint32_t blocks = 0, singles = 0;
    std::uint32_t first_block = 0, first_single = 0;
};

template <class Visit>
struct Batch {
    AlignedVector<std::uint32_t> block_offsets;  // [block][arity][16], in bytes
    AlignedVector<float> block_parameters;       // [block][parameters][16]
    std::vector<std::uint32_t> single_offsets;   // [visit][arity]
    std::vector<float> single_parameters;        // [visit][parameters]
    std::vector<Run> runs;
    std::size_t visit_count = 0;
    std::uint32_t nowhere = 0;             // the first offset behind all particles
    std::vector<std::uint32_t> item_runs;  // runs of work item i: item_runs[i] … item_runs[i + 1] − 1

    std::size_t blocks() const { return block_offsets.size() / (Visit::arity * block_size); }
    std::size_t singles() const { return single_offsets.size() / Visit::arity; }
    std::size_t visits() const { return visit_count; }
    std::size_t constraints() const { return visits() * Visit::stages; }
    std::size_t bytes() const {
        return (block_offsets.size() + single_offsets.size()) * sizeof(std::uint32_t) +
               (block_parameters.size() + single_parameters.size()) * sizeof(float) +
               runs.size() * sizeof(Run) + item_runs.size() * sizeof(std::uint32_t);
    }

    // Calls f(places, parameters) for every visit of a run, in the order of execution.
    template <class F>
    void for_each_visit(const Run& run, F&& f) const {
        std::array<std::uint32_t, Visit::arity> places;
        std::array<float, Visit::parameters> values;
        // A kind without parameters has no array to point into.
        const auto at = [](const auto& list, std::size_t i) {
            return Visit::parameters > 0 ? list.data() + i : nullptr;
        };
        const auto visit = [&](const std::uint32_t* offsets, const float* parameters, std::size_t stride) {
            if (offsets[0] >= nowhere) return;  // an empty lane
            for (std::size_t k = 0; k < Visit::arity; ++k) {
                places[k] = static_cast<std::uint32_t>(offsets[k * stride] / bytes_per_particle);
            }
            for (std::size_t k = 0; k < Visit::parameters; ++k) values[k] = parameters[k * stride];
            f(std::as_const(places), std::as_const(values));
        };
        for (std::size_t i = 0; i < run.blocks * block_size; ++i) {
            const std::size_t block = run.first_block + i / block_size, lane = i % block_size;
            visit(block_offsets.data() + block * Visit::arity * block_size + lane,
                  at(block_parameters, block * Visit::parameters * block_size + lane), block_size);
        }
        for (std::size_t i = run.first_single; i < std::size_t(run.first_single) + run.singles; ++i) {
            visit(single_offsets.data() + i * Visit::arity, at(single_parameters, i * Visit::parameters), 1);
        }
    }

    // Calls f.template operator()<Kind>(places, parameters, elasticity) for every constraint.
    template <class F>
    void for_each_constraint(F&& f) const {
        for (const Run& run : runs) for_each_constraint(run, f);
    }
    template <class F>
    void for_each_constraint(const Run& run, F&& f) const {
        for_each_visit(run, [&](const auto& places, const auto& parameters) {
            Visit::for_each_stage([&]<class Stage, int, int first_parameter>() {
                using Kind = typename Stage::Kind;
                std::array<std::uint32_t, Kind::arity> members;
                std::array<float, Kind::parameters> values;
                for (std::size_t k = 0; k < Kind::arity; ++k)
                    members[k] = places[static_cast<std::size_t>(Stage::members[k])];
                for (std::size_t k = 0; k < Kind::parameters; ++k)
                    values[k] = parameters[first_parameter + k];
                f.template operator()<Kind>(std::as_const(members), std::as_const(values),
                                            run.elasticities[Stage::slot]);
            });
        });
    }
};

namespace detail {

// Which visit goes where: ascending by work item, elasticities and places. Only of visits that are alike in
// all of these does the order in the list decide.
struct RunKey {
    std::uint32_t item;
    SlotElasticities elasticities;
    std::uint32_t low_place, sum_of_places, id;

    bool same_run(const RunKey& other) const {
        return item == other.item && elasticities == other.elasticities;
    }
    friend bool operator<(const RunKey& a, const RunKey& b) {
        return std::tie(a.item, a.elasticities, a.low_place, a.sum_of_places, a.id) <
               std::tie(b.item, b.elasticities, b.low_place, b.sum_of_places, b.id);
    }
};

}  // namespace detail

// Behind all particles there is one for each work item that never moves: what the empty lanes of its blocks
// join. A cache line each, so that threads do not fight for them.
inline constexpr std::uint32_t bytes_per_cache_line = 64;
inline constexpr std::size_t floats_nowhere(std::uint32_t slabs) {
    return 2 * std::size_t(slabs) * bytes_per_cache_line / sizeof(float);
}

// Work items: slab s is item s, the seam between slabs s and s + 1 is item slabs + s.
template <class Visit>
Batch<Visit> make_batch(const VisitList<Visit>& list, const Partition& partition,
                        std::span<const std::uint8_t> moves, Packer& packer) {
    // Find each visit's item, and sort.
    std::vector<std::uint32_t> members(list.size() * Visit::arity);
    std::vector<detail::RunKey> keys(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        std::uint32_t low_slab = 0xffffffff, high_slab = 0, low_place = 0xffffffff, sum = 0;
        for (std::size_t k = 0; k < Visit::arity; ++k) {
            const std::uint32_t particle = list.particles[i][k];
            members[i * Visit::arity + k] = partition.place[particle];
            low_slab = std::min(low_slab, partition.slab[particle]);
            high_slab = std::max(high_slab, partition.slab[particle]);
            low_place = std::min(low_place, partition.place[particle]);
            sum += partition.place[particle];
        }
        const std::uint32_t item = low_slab == high_slab ? low_slab : partition.slabs + low_slab;
        keys[i] = {item, list.elasticities[i], low_place, sum, static_cast<std::uint32_t>(i)};
    }
    std::sort(keys.begin(), keys.end());

    // Pack run by run, and lay out.
    Batch<Visit> batch;
    batch.visit_count = list.size();
    batch.nowhere = static_cast<std::uint32_t>(partition.order.size() * bytes_per_particle);
    batch.block_offsets.reserve(members.size());
    batch.block_parameters.reserve(list.size() * Visit::parameters);
    batch.item_runs.assign(2 * partition.slabs + 1, 0);
    const PackingInput input{members, Visit::arity, moves, Visit::is_pair};
    std::vector<std::uint32_t> ids;
    for (std::size_t begin = 0; begin < keys.size();) {
        ids.clear();
        std::size_t end = begin;
        while (end < keys.size() && keys[end].same_run(keys[begin])) ids.push_back(keys[end++].id);
        const Packing packing = packer.pack(input, ids);
        // One run per segment; the singles go with the last.
        const std::uint32_t item = keys[begin].item;
        const SlotElasticities elasticities = keys[begin].elasticities;
        const auto singles = static_cast<std::uint32_t>(packing.order.size() - packing.blocks * block_size);
        auto first_block = static_cast<std::uint32_t>(batch.blocks());
        const auto first_single = static_cast<std::uint32_t>(batch.singles());
        for (std::uint32_t blocks : packing.segments) {
            batch.runs.push_back({elasticities, blocks, 0, first_block, first_single});
            first_block += blocks;
            ++batch.item_runs[item + 1];
        }
        if (packing.segments.empty()) {
            batch.runs.push_back({elasticities, 0, 0, first_block, first_single});
            ++batch.item_runs[item + 1];
        }
        batch.runs.back().singles = singles;
        const auto offset = [&](std::uint32_t id, std::size_t k) {
            if (id == Packing::padding) return batch.nowhere + item * bytes_per_cache_line;
            return static_cast<std::uint32_t>(members[id * Visit::arity + k] * bytes_per_particle);
        };
        for (std::size_t block = 0; block < packing.blocks; ++block) {
            const std::uint32_t* in_block = packing.order.data() + block * block_size;
            for (std::size_t k = 0; k < Visit::arity; ++k) {
                for (std::size_t i = 0; i < block_size; ++i)
                    batch.block_offsets.push_back(offset(in_block[i], k));
            }
            for (std::size_t k = 0; k < Visit::parameters; ++k) {
                for (std::size_t i = 0; i < block_size; ++i) {
                    const std::uint32_t id = in_block[i];
                    batch.block_parameters.push_back(id == Packing::padding ? 0 : list.parameters[id][k]);
                }
            }
        }
        for (std::size_t i = packing.blocks * block_size; i < packing.order.size(); ++i) {
            const std::uint32_t id = packing.order[i];
            for (std::size_t k = 0; k < Visit::arity; ++k) batch.single_offsets.push_back(offset(id, k));
            for (float value : list.parameters[id]) batch.single_parameters.push_back(value);
        }
        begin = end;
    }
    for (std::size_t i = 1; i < batch.item_runs.size(); ++i) batch.item_runs[i] += batch.item_runs[i - 1];
    return batch;
}

}  // namespace pliant
