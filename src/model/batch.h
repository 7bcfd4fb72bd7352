// The constraints of one kind in the order in which they run, laid out for lanes.
//
// 4 bytes per particle and parameter and constraint, nothing else: a distance takes 12, a volume 20.
// Compliance and damping belong to the run; multipliers exist only while several iterations need them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/aligned.h"
#include "base/particle_layout.h"
#include "model/constraint_set.h"
#include "model/packing.h"
#include "model/partition.h"

namespace pliant {

// Constraints that follow each other in a batch and have the same elasticity. Of pairs, no block has a
// moving particle in common with the next.
struct Run {
    std::uint32_t elasticity = 0;
    std::uint32_t blocks = 0, singles = 0;
    std::uint32_t first_block = 0, first_single = 0;
};

template <class Kind>
struct Batch {
    AlignedVector<std::uint32_t> block_offsets;  // [block][arity][16], in bytes
    AlignedVector<float> block_parameters;       // [block][parameters][16]
    std::vector<std::uint32_t> single_offsets;   // [constraint][arity]
    std::vector<float> single_parameters;        // [constraint][parameters]
    std::vector<Run> runs;
    std::vector<std::uint32_t> item_runs;  // runs of work item i: item_runs[i] … item_runs[i + 1] − 1

    std::size_t blocks() const { return block_offsets.size() / (Kind::arity * block_size); }
    std::size_t singles() const { return single_offsets.size() / Kind::arity; }
    std::size_t size() const { return blocks() * block_size + singles(); }
    std::size_t bytes() const {
        return (block_offsets.size() + single_offsets.size()) * sizeof(std::uint32_t) +
               (block_parameters.size() + single_parameters.size()) * sizeof(float) +
               runs.size() * sizeof(Run) + item_runs.size() * sizeof(std::uint32_t);
    }

    // Calls f(places, parameters, elasticity) for every constraint, in the order of execution.
    template <class F>
    void for_each(F&& f) const {
        for (const Run& run : runs) for_each_in(run, f);
    }
    template <class F>
    void for_each_in(const Run& run, F&& f) const {
        std::array<std::uint32_t, Kind::arity> places;
        std::array<float, Kind::parameters> values;
        // A kind without parameters has no array to point into.
        const auto at = [](const auto& list, std::size_t i) {
            return Kind::parameters > 0 ? list.data() + i : nullptr;
        };
        const auto visit = [&](const std::uint32_t* offsets, const float* parameters, std::size_t stride) {
            for (std::size_t k = 0; k < Kind::arity; ++k) {
                places[k] = static_cast<std::uint32_t>(offsets[k * stride] / bytes_per_particle);
            }
            for (std::size_t k = 0; k < Kind::parameters; ++k) values[k] = parameters[k * stride];
            f(std::as_const(places), std::as_const(values), run.elasticity);
        };
        for (std::size_t i = 0; i < run.blocks * block_size; ++i) {
            const std::size_t block = run.first_block + i / block_size, lane = i % block_size;
            visit(block_offsets.data() + block * Kind::arity * block_size + lane,
                  at(block_parameters, block * Kind::parameters * block_size + lane), block_size);
        }
        for (std::size_t i = run.first_single; i < std::size_t(run.first_single) + run.singles; ++i) {
            visit(single_offsets.data() + i * Kind::arity, at(single_parameters, i * Kind::parameters), 1);
        }
    }
};

namespace detail {

// Which constraint goes where: ascending by work item, elasticity, place, and number in the list.
struct RunKey {
    std::uint64_t item_and_elasticity, place_and_id;
    friend bool operator<(const RunKey& a, const RunKey& b) {
        return a.item_and_elasticity != b.item_and_elasticity ? a.item_and_elasticity < b.item_and_elasticity
                                                              : a.place_and_id < b.place_and_id;
    }
};

}  // namespace detail

// Work items: slab s is item s, the seam between slabs s and s + 1 is item slabs + s.
template <class Kind>
Batch<Kind> make_batch(const ConstraintList<Kind>& list, const Partition& partition,
                       std::span<const std::uint8_t> moves, Packer& packer) {
    // Find each constraint's item, and sort.
    std::vector<std::uint32_t> members(list.size() * Kind::arity);
    std::vector<detail::RunKey> keys(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        std::uint32_t low_slab = 0xffffffff, high_slab = 0, low_place = 0xffffffff;
        for (std::size_t k = 0; k < Kind::arity; ++k) {
            const std::uint32_t particle = list.particles[i][k];
            members[i * Kind::arity + k] = partition.place[particle];
            low_slab = std::min(low_slab, partition.slab[particle]);
            high_slab = std::max(high_slab, partition.slab[particle]);
            low_place = std::min(low_place, partition.place[particle]);
        }
        const std::uint64_t item = low_slab == high_slab ? low_slab : partition.slabs + low_slab;
        keys[i] = {item << 32 | list.elasticity[i], std::uint64_t(low_place) << 32 | i};
    }
    std::sort(keys.begin(), keys.end());

    // Pack run by run, and lay out.
    Batch<Kind> batch;
    batch.block_offsets.reserve(members.size());
    batch.block_parameters.reserve(list.size() * Kind::parameters);
    batch.item_runs.assign(2 * partition.slabs + 1, 0);
    const PackingInput input{members, Kind::arity, moves, Kind::central_pair};
    std::vector<std::uint32_t> ids;
    for (std::size_t begin = 0; begin < keys.size();) {
        ids.clear();
        std::size_t end = begin;
        while (end < keys.size() && keys[end].item_and_elasticity == keys[begin].item_and_elasticity) {
            ids.push_back(static_cast<std::uint32_t>(keys[end++].place_and_id));
        }
        const Packing packing = packer.pack(input, ids);
        // One run per segment; the singles go with the last.
        const auto item = keys[begin].item_and_elasticity >> 32;
        const auto elasticity = static_cast<std::uint32_t>(keys[begin].item_and_elasticity);
        const auto singles = static_cast<std::uint32_t>(ids.size() - packing.blocks * block_size);
        auto first_block = static_cast<std::uint32_t>(batch.blocks());
        const auto first_single = static_cast<std::uint32_t>(batch.singles());
        for (std::uint32_t blocks : packing.segments) {
            batch.runs.push_back({elasticity, blocks, 0, first_block, first_single});
            first_block += blocks;
            ++batch.item_runs[item + 1];
        }
        if (packing.segments.empty()) {
            batch.runs.push_back({elasticity, 0, 0, first_block, first_single});
            ++batch.item_runs[item + 1];
        }
        batch.runs.back().singles = singles;
        const auto offset = [&](std::uint32_t id, std::size_t k) {
            return static_cast<std::uint32_t>(members[id * Kind::arity + k] * bytes_per_particle);
        };
        for (std::size_t block = 0; block < packing.blocks; ++block) {
            const std::uint32_t* in_block = packing.order.data() + block * block_size;
            for (std::size_t k = 0; k < Kind::arity; ++k) {
                for (std::size_t i = 0; i < block_size; ++i)
                    batch.block_offsets.push_back(offset(in_block[i], k));
            }
            for (std::size_t k = 0; k < Kind::parameters; ++k) {
                for (std::size_t i = 0; i < block_size; ++i) {
                    batch.block_parameters.push_back(list.parameters[in_block[i]][k]);
                }
            }
        }
        for (std::size_t i = packing.blocks * block_size; i < packing.order.size(); ++i) {
            const std::uint32_t id = packing.order[i];
            for (std::size_t k = 0; k < Kind::arity; ++k) batch.single_offsets.push_back(offset(id, k));
            for (float value : list.parameters[id]) batch.single_parameters.push_back(value);
        }
        begin = end;
    }
    for (std::size_t i = 1; i < batch.item_runs.size(); ++i) batch.item_runs[i] += batch.item_runs[i - 1];
    return batch;
}

}  // namespace pliant
