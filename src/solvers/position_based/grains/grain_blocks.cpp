#include "solvers/position_based/grains/grain_blocks.h"

#include <algorithm>
#include <bit>

namespace pliant::solvers::position_based {

void GrainBlocks::reserve(std::size_t pairs, bool has_traits) {
    const std::size_t most = pairs / block_size + 32;
    offsets.reserve(most * 2 * block_size);
    pushes.reserve(most * 3 * block_size);
    if (has_traits) traits.reserve(most);
    grains.reserve(most * block_size);
}

GrainPacker::GrainPacker(GrainBlocks& blocks, std::uint32_t dummy, bool has_traits,
                         std::span<std::uint32_t> marks)
    : blocks_(blocks), dummy_(dummy), has_traits_(has_traits), marks_(marks) {
    blocks_.blocks = 0;
    blocks_.offsets.clear();
    blocks_.pushes.clear();
    blocks_.traits.clear();
    blocks_.grains.clear();
}

void GrainPacker::open(std::size_t bit) {
    open_ |= 1u << bit;
    block_[bit] = blocks_.blocks++;
    filled_[bit] = 0;
    blocks_.offsets.resize(blocks_.blocks * 2 * block_size, dummy_);
    blocks_.pushes.resize(blocks_.blocks * 3 * block_size, 0.0f);
    if (has_traits_) blocks_.traits.resize(blocks_.blocks, GrainPairTraits{});
    blocks_.grains.resize(blocks_.blocks * block_size, {GrainBlocks::nobody, GrainBlocks::nobody});
}

void GrainPacker::close(std::size_t bit) {
    open_ &= ~(1u << bit);
    const auto* pairs = blocks_.grains.data() + block_[bit] * block_size;
    for (std::size_t i = 0; i < filled_[bit]; ++i) {
        for (const std::uint32_t grain : pairs[i]) marks_[grain] &= ~(1u << bit);
    }
}

void GrainPacker::close_all() {
    while (open_) close(static_cast<std::size_t>(std::countr_zero(open_)));
}

std::size_t GrainPacker::add(std::uint32_t a, std::uint32_t b, std::uint32_t offset_a,
                             std::uint32_t offset_b) {
    // Only grains that lie in each other have so many pairs.
    if ((marks_[a] | marks_[b]) == ~0u) close_all();
    const auto bit = static_cast<std::size_t>(std::countr_one(marks_[a] | marks_[b]));
    if (!(open_ >> bit & 1)) open(bit);
    const std::size_t lane = filled_[bit]++, pair = block_[bit] * block_size + lane;
    std::uint32_t* offsets = blocks_.offsets.data() + block_[bit] * 2 * block_size + lane;
    offsets[0] = offset_a;
    offsets[block_size] = offset_b;
    blocks_.grains[pair] = {a, b};
    if (filled_[bit] == block_size) {
        close(bit);  // it has marks of the others only
    } else {
        marks_[a] |= 1u << bit;
        marks_[b] |= 1u << bit;
    }
    return pair;
}

}  // namespace pliant::solvers::position_based
