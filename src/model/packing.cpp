// Two passes. First each chunk of about 2,048 constraints is coloured greedily, and every colour gives
// as many full blocks as it has: blocks of one colour that follow each other are independent, so the CPU
// overlaps them, and a chunk's particles stay in the nearest cache. What each colour has over (5–11 %)
// is then collected over the whole run and packed first-fit into blocks, until a handful is left.
//
// Chunks run even ones first, then odd ones: a sweep that walks through a body in one direction pumps
// energy into a stiff one until it explodes.
#include "model/packing.h"

#include <algorithm>
#include <bit>

#include "base/particle_layout.h"

namespace pliant {
namespace {

constexpr std::size_t chunk_size = 2048;
constexpr std::size_t bin_count = 64;  // colours or open blocks at a time: one bit each

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

    // Pack what is over, as long as that yields a full block.
    while (rest_.size() >= block_size && fill_blocks(input, packing)) {
    }
    packing.blocks = packing.order.size() / block_size;
    packing.order.insert(packing.order.end(), rest_.begin(), rest_.end());
    return packing;
}

void Packer::colour_chunk(const PackingInput& input, std::span<const std::uint32_t> chunk, Packing& packing) {
    for (auto& bin : bins_) bin.clear();
    for (std::uint32_t c : chunk) {
        const std::uint32_t* members = input.members.data() + std::size_t(c) * input.arity;
        std::uint64_t taken = 0;
        for (std::uint32_t k = 0; k < input.arity; ++k)
            taken |= input.moves[members[k]] ? used_[members[k]] : 0;
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
    const std::size_t open = std::min(bin_count, rest_.size() / block_size);
    std::uint64_t closed = open == 64 ? 0 : ~std::uint64_t(0) << open;  // full, or never opened
    for (auto& bin : bins_) bin.clear();
    std::vector<std::uint32_t> left;
    for (std::uint32_t c : rest_) {
        const std::uint32_t* members = input.members.data() + std::size_t(c) * input.arity;
        std::uint64_t taken = closed;
        for (std::uint32_t k = 0; k < input.arity; ++k)
            taken |= input.moves[members[k]] ? used_[members[k]] : 0;
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

}  // namespace pliant
