// Puts constraints into blocks of 16 that share no dynamic particle, and orders the blocks so that
// neighbours share none either, as far as that goes.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace pliant::solvers::position_based {

// Constraint i joins slots members[i·arity] … members[i·arity + arity − 1].
struct PackingInput {
    std::span<const std::uint32_t> members;
    std::uint32_t arity = 0;
    std::span<const std::uint8_t> is_dynamic;  // per slot: can it move? Those that cannot never conflict.
    bool needs_segments = false;  // must neighbouring blocks be independent, or is it only better?
};

struct Packing {
    static constexpr std::uint32_t padding = 0xffffffff;
    std::vector<std::uint32_t> order;     // constraints; the first 16 · blocks fill the blocks, with padding
    std::vector<std::uint32_t> segments;  // blocks in each; one only, unless segments are needed
    std::size_t blocks = 0;
};

class Packer {
public:
    explicit Packer(std::size_t slots) : used_(slots, 0) {}

    // run: constraints in an order that follows space. They come back in the order of execution.
    Packing pack(const PackingInput& input, std::span<const std::uint32_t> run);

private:
    void colour_chunk(const PackingInput& input, std::span<const std::uint32_t> chunk, Packing& packing);
    bool fill_blocks(const PackingInput& input, Packing& packing);
    void pad_blocks(const PackingInput& input, Packing& packing);
    void put_crowded_first(const PackingInput& input);
    void separate_neighbours(const PackingInput& input, Packing& packing);
    void mark(const PackingInput& input, std::span<const std::uint32_t> block, std::uint64_t mark);
    bool is_marked(const PackingInput& input, std::span<const std::uint32_t> block) const;

    std::vector<std::uint64_t> used_;  // per slot: colours, or open blocks, that hold it
    std::vector<std::uint32_t> rest_;  // constraints that found no full block yet
    std::vector<std::vector<std::uint32_t>> bins_;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> crowding_;
};

}  // namespace pliant::solvers::position_based
