#include "solvers/position_based/cloth/tethers.h"

#include <algorithm>

#include "base/convert.h"
#include "base/particle_layout.h"
#include "base/union_find.h"

namespace pliant::solvers::position_based {
namespace {

constexpr std::size_t most_groups = 4;
constexpr float unheld = 1e18f;  // its square is a number too

// Held particles that hang together.
std::vector<std::vector<HeldParticle>> find_patches(const ClothSheet& sheet,
                                                    const std::vector<HeldParticle>& held) {
    std::vector<std::uint32_t> number(sheet.particles, 0xffffffff);
    for (std::uint32_t i = 0; i < held.size(); ++i) number[held[i].vertex] = i;
    UnionFind together(held.size());
    for (std::uint32_t i = 0; i < held.size(); ++i) {
        for (const Edge& side : sheet.surface.sides_facing(held[i].vertex)) {
            for (const std::uint32_t other : side) {
                if (number[other] != 0xffffffff) together.join(number[held[i].vertex], number[other]);
            }
        }
        together.join(i, number[held[i].vertex]);  // held twice
    }
    std::vector<std::uint32_t> patch_of;
    std::vector<std::vector<HeldParticle>> patches(together.number_sets(patch_of));
    for (std::size_t i = 0; i < held.size(); ++i) patches[patch_of[i]].push_back(held[i]);
    return patches;
}

// At most four: around patches that are far from each other.
std::vector<std::vector<HeldParticle>> gather(const ClothSheet& sheet,
                                              std::vector<std::vector<HeldParticle>>&& patches) {
    if (patches.size() <= most_groups) return std::move(patches);
    const auto distance = [&](std::size_t a, std::size_t b) {
        return length(sheet.surface.point(patches[a][0].vertex) - sheet.surface.point(patches[b][0].vertex));
    };
    std::vector<std::size_t> centers{0}, nearest(patches.size(), 0);
    while (centers.size() < most_groups) {
        std::size_t farthest = 0;
        for (std::size_t i = 1; i < patches.size(); ++i) {
            if (distance(i, centers[nearest[i]]) > distance(farthest, centers[nearest[farthest]]))
                farthest = i;
        }
        centers.push_back(farthest);
        for (std::size_t i = 0; i < patches.size(); ++i) {
            if (distance(i, farthest) < distance(i, centers[nearest[i]])) nearest[i] = centers.size() - 1;
        }
    }
    std::vector<std::vector<HeldParticle>> groups(most_groups);
    for (std::size_t i = 0; i < patches.size(); ++i)
        groups[nearest[i]].insert(groups[nearest[i]].end(), patches[i].begin(), patches[i].end());
    return groups;
}

Tethers tethers_to(const ClothSheet& sheet, const std::vector<HeldParticle>& group) {
    std::vector<std::uint32_t> sources, holder_of(sheet.particles, 0);
    for (std::uint32_t i = 0; i < group.size(); ++i) {
        sources.push_back(group[i].vertex);
        holder_of[group[i].vertex] = i;
    }
    std::vector<float> lengths(sheet.particles, unheld);
    std::vector<std::uint32_t> holders(sheet.particles, 0);
    mesh::DistanceSearch search(sheet.surface);
    search.run(sources, std::numeric_limits<double>::infinity(),
               [&](std::uint32_t vertex, double distance, std::uint32_t source) {
                   lengths[vertex] = static_cast<float>(distance);
                   holders[vertex] = holder_of[source];
                   return true;
               });
    Tethers tethers;
    tethers.group = group;
    tethers.positions.resize(group.size() * floats_per_particle, 0.0f);
    const std::size_t targets = sheet.targets.size(),
                      padded = (targets + block_size - 1) / block_size * block_size;
    tethers.offsets.resize(padded, 0);
    tethers.lengths.resize(padded, unheld);
    const auto holder_at = [&](std::uint32_t vertex) {
        return static_cast<std::uint32_t>(holders[vertex] * bytes_per_particle);
    };
    for (std::size_t i = 0; i < targets; ++i) {
        tethers.offsets[i] = holder_at(sheet.targets[i].vertex);
        tethers.lengths[i] = lengths[sheet.targets[i].vertex];
    }
    if (sheet.levels.empty()) return tethers;
    for (const std::uint32_t vertex : sheet.levels[0].vertices) {
        tethers.node_offsets.push_back(holder_at(vertex));
        tethers.node_lengths.push_back(lengths[vertex]);
    }
    return tethers;
}

}  // namespace

void make_tethers(const ClothSheet& sheet, const std::vector<HeldParticle>& held,
                  std::vector<Tethers>& tethers) {
    std::vector<Tethers> made;
    for (const std::vector<HeldParticle>& group : gather(sheet, find_patches(sheet, held))) {
        const auto same = std::find_if(tethers.begin(), tethers.end(),
                                       [&](const Tethers& old) { return old.group == group; });
        made.push_back(same != tethers.end() ? std::move(*same) : tethers_to(sheet, group));
    }
    tethers = std::move(made);
}

}  // namespace pliant::solvers::position_based
