// Three passes. First each chunk of about 2,048 constraints is coloured greedily, and every colour gives
// as many full blocks as it has: blocks of one colour that follow each other are independent, so the CPU
// overlaps them, and a chunk's particles stay in the nearest cache. What each colour has over (5–11 %)
// is then collected over the whole run and packed first-fit into blocks, until a handful is left. That goes
// into blocks with empty lanes, if these have enough to do; what even there would be alone runs by itself.
// Last, where a block has a particle in common with the one before it (where colours meet, mostly), a later
// block takes its slot, so that the next one can be loaded while this one is not yet stored.
//
// Chunks run even ones first, then odd ones: a sweep that walks through a body in one direction pumps
// energy into a stiff one until it explodes.
#include "solvers/position_based/packing.h"

#include <algorithm>
#include <bit>

#include "base/particle_layout.h"

namespace pliant::solvers::position_based {
namespace {

constexpr std::size_t chunk_size = 2048;
constexpr std::size_t fewest_in_block = 3;  // a block takes about as long as three constraints one by one
constexpr std::size_t most_redealt_blocks = 64;
constexpr std::size_t look_ahead = 32;  // blocks, when one is sought that does not touch its neighbour
constexpr std::size_t bin_count = 64;   // colours or open blocks at a time: one bit each

}  // namespace

Packing Packer::pack(const PackingInput& input, std::span<const std::uint32_t> run) {
    Packing packing;
    packing.order.reserve(run.size());
    rest_.clear();
    bins_.resize(bin_count);

    // Cut into chunks of nearly equal size; colour the even ones, then the odd ones.
    const std::size_t chunks = (run.size() + chunk_size - 1) / chunk_size;
    for (std::size_t parity : {0, 1}) {
        for (std::size_t c = parity; c < chunks; c += 2) {
            const std::size_t begin = run.size() * c / chunks, end = run.size() * (c + 1) / chunks;
            colour_chunk(input, run.subspan(begin, end - begin), packing);
        }
    }

    // Pack what is over. When that sticks, take some blocks back and deal again, if it helps.
    while (rest_.size() >= block_size && fill_blocks(input, packing)) {
    }
    for (std::size_t back = 4; back <= most_redealt_blocks && rest_.size() >= block_size; back *= 2) {
        if (back * block_size > packing.order.size()) break;
        const std::vector<std::uint32_t> rest = rest_, order = packing.order;
        rest_.insert(rest_.end(), order.end() - static_cast<std::ptrdiff_t>(back * block_size), order.end());
        packing.order.resize(order.size() - back * block_size);
        while (rest_.size() >= block_size && fill_blocks(input, packing)) {
        }
        if (rest_.size() < rest.size()) continue;
        rest_ = rest;
        packing.order = order;
    }
    pad_blocks(input, packing);
    packing.blocks = packing.order.size() / block_size;
    separate_neighbours(input, packing);
    packing.order.insert(packing.order.end(), rest_.begin(), rest_.end());
    return packing;
}

void Packer::colour_chunk(const PackingInput& input, std::span<const std::uint32_t> chunk, Packing& packing) {
    for (auto& bin : bins_) bin.clear();
    for (std::uint32_t c : chunk) {
        const std::uint32_t* members = input.members.data() + std::size_t(c) * input.arity;
        std::uint64_t taken = 0;
        for (std::uint32_t k = 0; k < input.arity; ++k)
            taken |= input.is_dynamic[members[k]] ? used_[members[k]] : 0;
        if (~taken == 0) {
            rest_.push_back(c);
            continue;
        }
        const int colour = std::countr_one(taken);
        bins_[static_cast<std::size_t>(colour)].push_back(c);
        for (std::uint32_t k = 0; k < input.arity; ++k) used_[members[k]] |= std::uint64_t(1) << colour;
    }
    for (std::uint32_t c : chunk) {
        const std::uint32_t* members = input.members.data() + std::size_t(c) * input.arity;
        for (std::uint32_t k = 0; k < input.arity; ++k) used_[members[k]] = 0;
    }
    for (const auto& bin : bins_) {
        const auto full = static_cast<std::ptrdiff_t>(bin.size() / block_size * block_size);
        packing.order.insert(packing.order.end(), bin.begin(), bin.begin() + full);
        rest_.insert(rest_.end(), bin.begin() + full, bin.end());
    }
}

// Opens up to 64 blocks and puts each constraint into the first that has room and none of its
// particles. Full blocks are kept; the rest returns. False if no block came out full.
bool Packer::fill_blocks(const PackingInput& input, Packing& packing) {
    put_crowded_first(input);
    const std::size_t open = std::min(bin_count, rest_.size() / block_size);
    std::uint64_t closed = open == 64 ? 0 : ~std::uint64_t(0) << open;  // full, or never opened
    for (auto& bin : bins_) bin.clear();
    std::vector<std::uint32_t> left;
    for (std::uint32_t c : rest_) {
        const std::uint32_t* members = input.members.data() + std::size_t(c) * input.arity;
        std::uint64_t taken = closed;
        for (std::uint32_t k = 0; k < input.arity; ++k)
            taken |= input.is_dynamic[members[k]] ? used_[members[k]] : 0;
        if (~taken == 0) {
            left.push_back(c);
            continue;
        }
        const int b = std::countr_one(taken);
        auto& bin = bins_[static_cast<std::size_t>(b)];
        bin.push_back(c);
        for (std::uint32_t k = 0; k < input.arity; ++k) used_[members[k]] |= std::uint64_t(1) << b;
        if (bin.size() == block_size) closed |= std::uint64_t(1) << b;
    }
    for (std::uint32_t c : rest_) {
        const std::uint32_t* members = input.members.data() + std::size_t(c) * input.arity;
        for (std::uint32_t k = 0; k < input.arity; ++k) used_[members[k]] = 0;
    }
    const std::size_t before = packing.order.size();
    for (const auto& bin : bins_) {
        auto& destination = bin.size() == block_size ? packing.order : left;
        destination.insert(destination.end(), bin.begin(), bin.end());
    }
    rest_ = std::move(left);
    return packing.order.size() > before;
}

// First-fit again, but a block need not be full.
void Packer::pad_blocks(const PackingInput& input, Packing& packing) {
    while (rest_.size() >= fewest_in_block) {
        std::vector<std::uint32_t> block, left;
        for (std::uint32_t c : rest_) {
            const auto members = input.members.subspan(std::size_t(c) * input.arity, input.arity);
            const bool fits = block.size() < block_size &&
                              std::none_of(members.begin(), members.end(),
                                           [&](auto m) { return input.is_dynamic[m] && used_[m]; });
            (fits ? block : left).push_back(c);
            if (!fits) continue;
            for (const std::uint32_t m : members) used_[m] = 1;
        }
        for (std::uint32_t c : block) {
            for (const std::uint32_t m : input.members.subspan(std::size_t(c) * input.arity, input.arity))
                used_[m] = 0;
        }
        if (block.size() < fewest_in_block) return;
        block.resize(block_size, Packing::padding);
        packing.order.insert(packing.order.end(), block.begin(), block.end());
        rest_ = std::move(left);
    }
}

// Constraints on particles that many others are waiting for have the fewest blocks to go to.
void Packer::put_crowded_first(const PackingInput& input) {
    const auto members = [&](std::uint32_t c) {
        return input.members.subspan(std::size_t(c) * input.arity, input.arity);
    };
    for (std::uint32_t c : rest_) {
        for (std::uint32_t m : members(c)) used_[m] += input.is_dynamic[m];
    }
    crowding_.clear();
    for (std::uint32_t c : rest_) {
        std::uint64_t crowd = 0;
        for (std::uint32_t m : members(c)) crowd = std::max(crowd, used_[m]);
        crowding_.push_back({crowd, c});
    }
    for (std::uint32_t c : rest_) {
        for (std::uint32_t m : members(c)) used_[m] = 0;
    }
    std::sort(crowding_.begin(), crowding_.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    for (std::size_t i = 0; i < rest_.size(); ++i) rest_[i] = crowding_[i].second;
}

void Packer::separate_neighbours(const PackingInput& input, Packing& packing) {
    const auto block = [&](std::size_t b) {
        return std::span(packing.order).subspan(b * block_size, block_size);
    };
    if (packing.blocks > 0) packing.segments.push_back(1);
    for (std::size_t b = 1; b < packing.blocks; ++b) {
        mark(input, block(b - 1), 1);
        std::size_t candidate = b;
        const std::size_t last = std::min(b + look_ahead, packing.blocks);
        while (candidate < last && is_marked(input, block(candidate))) ++candidate;
        mark(input, block(b - 1), 0);
        if (candidate == last) {
            if (input.needs_segments) {
                packing.segments.push_back(1);
            } else {
                ++packing.segments.back();
            }
            continue;
        }
        std::swap_ranges(block(b).begin(), block(b).end(), block(candidate).begin());
        ++packing.segments.back();
    }
}

void Packer::mark(const PackingInput& input, std::span<const std::uint32_t> block, std::uint64_t mark) {
    for (std::uint32_t c : block) {
        if (c == Packing::padding) break;
        const std::uint32_t* members = input.members.data() + std::size_t(c) * input.arity;
        for (std::uint32_t k = 0; k < input.arity; ++k)
            used_[members[k]] = input.is_dynamic[members[k]] ? mark : 0;
    }
}

bool Packer::is_marked(const PackingInput& input, std::span<const std::uint32_t> block) const {
    for (std::uint32_t c : block) {
        if (c == Packing::padding) break;
        const std::uint32_t* members = input.members.data() + std::size_t(c) * input.arity;
        for (std::uint32_t k = 0; k < input.arity; ++k) {
            if (used_[members[k]]) return true;
        }
    }
    return false;
}

}  // namespace pliant::solvers::position_based
