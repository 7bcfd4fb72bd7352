// Runs whose material parts were alike at the start and no longer are: the material of one body was changed,
// or one has a coarse level and the other none. Each block then goes once for each of its parts, the lanes of
// the others on the dummy. Lanes share no dynamic particle, so every bit is the same as if parts were still
// alike.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "constraints/clusters.h"
#include "solvers/position_based/cluster_blocks.h"

namespace pliant::solvers::position_based {

template <class Cluster>
struct SplitRuns {
    struct Piece {
        std::uint32_t block = 0;
        constraints::ClusterParts parts{};
    };
    std::vector<std::uint8_t> is_split;       // of each run, in this frame; empty where none is
    std::vector<std::uint32_t> first_pieces;  // of run r: first_pieces[r] … first_pieces[r + 1] − 1
    std::vector<Piece> pieces;                // of all runs that several parts share
    AlignedVector<std::uint32_t> offsets;     // [piece][arity][16], in bytes
    AlignedVector<float> multipliers;         // [piece][rows][16]
    std::vector<constraints::ClusterParts> remainder;  // of each cluster there
};

namespace detail {

// The material parts of a cluster, from those of its constraints.
template <class Cluster>
constraints::ClusterParts parts_of(const constraints::ConstraintSet& constraints,
                                   const std::uint32_t* sources) {
    constraints::ClusterParts parts{};
    Cluster::for_each_stage([&]<class Stage, int number, int>() {
        parts[Stage::part] = constraints::list_of<typename Stage::Kind>(constraints).parts[sources[number]];
    });
    return parts;
}

}  // namespace detail

// Once: it follows from the plan. slots: of the plan, behind which dummies are.
template <class Cluster>
void make_pieces(const constraints::ConstraintSet& constraints, const ClusterBlocks<Cluster>& blocks,
                 std::size_t slots, SplitRuns<Cluster>& split) {
    constexpr std::size_t arity = Cluster::arity, stages = Cluster::stages;
    split.first_pieces.assign(1, 0);
    std::vector<constraints::ClusterParts> found;
    for (std::size_t item = 0; item + 1 < blocks.item_runs.size(); ++item) {
        for (std::size_t r = blocks.item_runs[item]; r < blocks.item_runs[item + 1]; ++r) {
            const Run& run = blocks.runs[r];
            for (std::uint32_t b = run.first_block; run.sharers > 1 && b < run.first_block + run.blocks;
                 ++b) {
                constraints::ClusterParts of_lanes[block_size];
                found.clear();
                for (std::size_t i = 0; i < block_size; ++i) {
                    const std::uint32_t* sources =
                        blocks.block_sources.data() + (b * block_size + i) * stages;
                    if (*sources == ClusterBlocks<Cluster>::no_source) {
                        of_lanes[i].fill(ClusterBlocks<Cluster>::no_source);
                        continue;
                    }
                    of_lanes[i] = detail::parts_of<Cluster>(constraints, sources);
                    if (std::find(found.begin(), found.end(), of_lanes[i]) == found.end())
                        found.push_back(of_lanes[i]);
                }
                for (const constraints::ClusterParts& parts : found) {
                    split.pieces.push_back({b, parts});
                    for (std::size_t k = 0; k < arity * block_size; ++k) {
                        const std::uint32_t own = blocks.block_offsets[b * arity * block_size + k];
                        split.offsets.push_back(
                            of_lanes[k % block_size] == parts ? own : dummy_offset(slots, item));
                    }
                }
            }
            split.first_pieces.push_back(static_cast<std::uint32_t>(split.pieces.size()));
        }
    }
    for (std::size_t i = 0; i < blocks.remainder(); ++i) {
        split.remainder.push_back(
            detail::parts_of<Cluster>(constraints, blocks.remainder_sources.data() + i * stages));
    }
}

}  // namespace pliant::solvers::position_based
