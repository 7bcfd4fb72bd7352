// The clusters of one sort in the order in which they run, laid out for lanes.
//
// 4 bytes per particle and rest value, nothing else: a distance by itself takes 12, a volume 20, two
// distances and a volume together 28. Compliance and damping belong to the run; multipliers exist only while
// several iterations need them.
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
#include "constraints/clusters.h"
#include "solvers/position_based/packing.h"
#include "solvers/position_based/subdomains.h"

namespace pliant::solvers::position_based {

// Clusters that follow each other, of material parts that are alike at the start: full blocks, then a
// remainder, one by one. Of pairs, no block has a dynamic particle in common with the next.
struct Run {
    constraints::ClusterParts parts{};  // of the first cluster
    std::uint32_t blocks = 0, remainder = 0;
    std::uint32_t first_block = 0, first_of_remainder = 0;
    std::uint32_t first_sharer = 0, sharers = 1;  // the parts of all of its clusters, each once
};

// Rest values as the clusters lie in memory.
struct PackedRests {
    AlignedVector<float> blocks;   // [block][rest values][16]
    std::vector<float> remainder;  // [cluster][rest values]
};

template <class Cluster>
struct ClusterBlocks {
    static constexpr std::uint32_t no_source = 0xffffffff;

    AlignedVector<std::uint32_t> block_offsets;    // [block][arity][16], in bytes
    std::vector<std::uint32_t> remainder_offsets;  // [cluster][arity]
    PackedRests rests;
    std::vector<Run> runs;
    std::vector<constraints::ClusterParts> sharers;
    std::vector<std::uint32_t> item_runs;  // runs of work item i: item_runs[i] … item_runs[i + 1] − 1
    std::size_t cluster_count = 0;
    // Which constraint of its kind's list each stage is; no step reads it.
    std::vector<std::uint32_t> block_sources;      // [block][16][stages], no_source in empty lanes
    std::vector<std::uint32_t> remainder_sources;  // [cluster][stages]

    std::size_t blocks() const { return block_offsets.size() / (Cluster::arity * block_size); }
    std::size_t remainder() const { return remainder_offsets.size() / Cluster::arity; }
    std::size_t constraints() const { return cluster_count * Cluster::stages; }
    // What a sweep reads.
    std::size_t bytes() const {
        return (block_offsets.size() + remainder_offsets.size()) * sizeof(std::uint32_t) +
               (rests.blocks.size() + rests.remainder.size()) * sizeof(float) + runs.size() * sizeof(Run) +
               item_runs.size() * sizeof(std::uint32_t);
    }

    // Calls f(slots, sources) for every cluster of a run, in the order of execution.
    template <class F>
    void for_each_cluster(const Run& run, F&& f) const {
        const auto call = [&](const std::uint32_t* offsets, std::size_t stride, const std::uint32_t* source) {
            if (*source == no_source) return;
            std::array<std::uint32_t, Cluster::arity> slots;
            std::array<std::uint32_t, Cluster::stages> sources;
            for (std::size_t k = 0; k < Cluster::arity; ++k)
                slots[k] = static_cast<std::uint32_t>(offsets[k * stride] / bytes_per_particle);
            std::copy_n(source, Cluster::stages, sources.begin());
            f(std::as_const(slots), std::as_const(sources));
        };
        for (std::size_t i = 0; i < run.blocks * block_size; ++i) {
            const std::size_t block = run.first_block + i / block_size, lane = i % block_size;
            call(block_offsets.data() + block * Cluster::arity * block_size + lane, block_size,
                 block_sources.data() + (block * block_size + lane) * Cluster::stages);
        }
        for (std::size_t i = run.first_of_remainder; i < std::size_t(run.first_of_remainder) + run.remainder;
             ++i) {
            call(remainder_offsets.data() + i * Cluster::arity, 1,
                 remainder_sources.data() + i * Cluster::stages);
        }
    }
};

// Lays out the rest values of all clusters. rests.of<Kind>()[i]: of constraint i.
template <class Cluster, class Rests>
void pack_rests(const ClusterBlocks<Cluster>& blocks, const Rests& rests, PackedRests& packed) {
    constexpr std::size_t values = Cluster::rest_values, stages = Cluster::stages;
    packed.blocks.assign(blocks.blocks() * values * block_size, 0.0f);
    packed.remainder.assign(blocks.remainder() * values, 0.0f);
    if constexpr (values > 0) {
        const auto copy = [&](const std::uint32_t* sources, float* to, std::size_t stride) {
            if (*sources == ClusterBlocks<Cluster>::no_source) return;
            std::array<std::uint32_t, stages> of_stages;
            std::copy_n(sources, stages, of_stages.begin());
            const auto own = constraints::rest_values_of<Cluster>(of_stages, rests);
            for (std::size_t k = 0; k < values; ++k) to[k * stride] = own[k];
        };
        for (std::size_t i = 0; i < blocks.blocks() * block_size; ++i) {
            float* to = packed.blocks.data() + i / block_size * values * block_size + i % block_size;
            copy(blocks.block_sources.data() + i * stages, to, block_size);
        }
        for (std::size_t i = 0; i < blocks.remainder(); ++i)
            copy(blocks.remainder_sources.data() + i * stages, packed.remainder.data() + i * values, 1);
    }
}

namespace detail {

// Which cluster goes where: ascending by work item, parts and slots. Only of clusters that are alike in
// all of these does the order in the list decide.
struct RunKey {
    std::uint32_t item;
    constraints::ClusterParts parts;
    std::uint32_t low_slot, sum_of_slots, id;

    bool same_run(const RunKey& other) const { return item == other.item && parts == other.parts; }
    friend bool operator<(const RunKey& a, const RunKey& b) {
        return std::tie(a.item, a.parts, a.low_slot, a.sum_of_slots, a.id) <
               std::tie(b.item, b.parts, b.low_slot, b.sum_of_slots, b.id);
    }
};

}  // namespace detail

// Behind all slots there is a dummy for each work item that never moves: what the empty lanes of its blocks
// load and store. One cache line each: items run at the same time.
inline constexpr std::size_t bytes_per_cache_line = 64;
constexpr std::size_t dummy_floats(std::uint32_t subdomains) {
    return 2 * std::size_t(subdomains) * bytes_per_cache_line / sizeof(float);
}

constexpr std::uint32_t dummy_offset(std::size_t slots, std::size_t item) {
    return static_cast<std::uint32_t>(slots * bytes_per_particle + item * bytes_per_cache_line);
}

// Puts the clusters of a list in order, packs them run by run and lays them out. Work items: subdomain s is
// item s, the interface between subdomains s and s + 1 is item count + s.
template <class Cluster>
class ClusterPacker {
public:
    // alike_parts: of each material part, the first that is like it.
    ClusterPacker(const constraints::ClusterList<Cluster>& list, const Subdomains& subdomains,
                  std::span<const std::uint8_t> is_dynamic, std::span<const std::uint32_t> alike_parts,
                  Packer& packer)
        : list_(list),
          subdomains_(subdomains),
          is_dynamic_(is_dynamic),
          alike_parts_(alike_parts),
          packer_(packer) {}

    ClusterBlocks<Cluster> run() {
        find_items();
        result_.cluster_count = list_.size();
        result_.block_offsets.reserve(members_.size());
        result_.item_runs.assign(2 * subdomains_.count + 1, 0);
        std::vector<std::uint32_t> ids;
        for (std::size_t begin = 0, end = 0; begin < keys_.size(); begin = end) {
            ids.clear();
            while (end < keys_.size() && keys_[end].same_run(keys_[begin])) ids.push_back(keys_[end++].id);
            add_runs(keys_[begin], ids,
                     packer_.pack({members_, Cluster::arity, is_dynamic_, Cluster::is_pair}, ids));
        }
        for (std::size_t i = 1; i < result_.item_runs.size(); ++i)
            result_.item_runs[i] += result_.item_runs[i - 1];
        return std::move(result_);
    }

private:
    void find_items() {
        members_.resize(list_.size() * Cluster::arity);
        keys_.resize(list_.size());
        for (std::size_t i = 0; i < list_.size(); ++i) {
            std::uint32_t low = 0xffffffff, high = 0, low_slot = 0xffffffff, sum = 0;
            for (std::size_t k = 0; k < Cluster::arity; ++k) {
                const std::uint32_t particle = list_.particles[i][k];
                const std::uint32_t slot = subdomains_.slot_of[particle],
                                    subdomain = subdomains_.subdomain_of[particle];
                members_[i * Cluster::arity + k] = slot;
                low = std::min(low, subdomain);
                high = std::max(high, subdomain);
                low_slot = std::min(low_slot, slot);
                sum += slot;
            }
            const std::uint32_t item = low == high ? low : subdomains_.count + low;
            constraints::ClusterParts parts{};
            for (std::size_t k = 0; k < Cluster::parts; ++k) parts[k] = alike_parts_[list_.parts[i][k]];
            keys_[i] = {item, parts, low_slot, sum, static_cast<std::uint32_t>(i)};
        }
        std::sort(keys_.begin(), keys_.end());
    }

    // One run per segment; the remainder goes with the last.
    void add_runs(const detail::RunKey& key, std::span<const std::uint32_t> ids, const Packing& packing) {
        auto first_block = static_cast<std::uint32_t>(result_.blocks());
        const auto first_of_remainder = static_cast<std::uint32_t>(result_.remainder());
        const auto first_sharer = static_cast<std::uint32_t>(result_.sharers.size());
        add_sharers(ids);
        const std::uint32_t sharers = static_cast<std::uint32_t>(result_.sharers.size()) - first_sharer;
        const auto add = [&](std::uint32_t blocks) {
            result_.runs.push_back({result_.sharers[first_sharer], blocks, 0, first_block, first_of_remainder,
                                    first_sharer, sharers});
            first_block += blocks;
            ++result_.item_runs[key.item + 1];
        };
        for (const std::uint32_t blocks : packing.segments) add(blocks);
        if (packing.segments.empty()) add(0);
        const std::size_t in_blocks = packing.blocks * block_size;
        result_.runs.back().remainder = static_cast<std::uint32_t>(packing.order.size() - in_blocks);

        for (std::size_t block = 0; block < packing.blocks; ++block)
            add_block(packing.order.data() + block * block_size, key.item);
        for (std::size_t i = in_blocks; i < packing.order.size(); ++i) {
            const std::uint32_t id = packing.order[i];
            for (std::size_t k = 0; k < Cluster::arity; ++k)
                result_.remainder_offsets.push_back(offset(id, k, key.item));
            for (const std::uint32_t source : list_.sources[id]) result_.remainder_sources.push_back(source);
        }
    }

    void add_sharers(std::span<const std::uint32_t> ids) {
        const auto first = static_cast<std::ptrdiff_t>(result_.sharers.size());
        for (const std::uint32_t id : ids) {
            if (result_.sharers.size() > static_cast<std::size_t>(first) &&
                result_.sharers.back() == list_.parts[id])
                continue;
            result_.sharers.push_back(list_.parts[id]);
        }
        auto& all = result_.sharers;
        std::sort(all.begin() + first, all.end());
        all.erase(std::unique(all.begin() + first, all.end()), all.end());
    }

    void add_block(const std::uint32_t* ids, std::uint32_t item) {
        for (std::size_t k = 0; k < Cluster::arity; ++k) {
            for (std::size_t i = 0; i < block_size; ++i)
                result_.block_offsets.push_back(offset(ids[i], k, item));
        }
        for (std::size_t i = 0; i < block_size; ++i) {
            for (std::size_t k = 0; k < Cluster::stages; ++k) {
                const bool is_empty = ids[i] == Packing::padding;
                result_.block_sources.push_back(is_empty ? ClusterBlocks<Cluster>::no_source
                                                         : list_.sources[ids[i]][k]);
            }
        }
    }

    std::uint32_t offset(std::uint32_t id, std::size_t k, std::uint32_t item) const {
        if (id == Packing::padding) return dummy_offset(subdomains_.particle_at.size(), item);
        return static_cast<std::uint32_t>(members_[id * Cluster::arity + k] * bytes_per_particle);
    }

    const constraints::ClusterList<Cluster>& list_;
    const Subdomains& subdomains_;
    std::span<const std::uint8_t> is_dynamic_;
    std::span<const std::uint32_t> alike_parts_;
    Packer& packer_;
    std::vector<std::uint32_t> members_;  // slots, [cluster][arity]
    std::vector<detail::RunKey> keys_;
    ClusterBlocks<Cluster> result_;
};

}  // namespace pliant::solvers::position_based
