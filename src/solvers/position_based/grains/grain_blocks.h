// Pairs of grains in blocks of 16 that share no grain, for the kernels.
#pragma once

#include <pliant/vector.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned.h"
#include "solvers/position_based/grains/grain_runs.h"

namespace pliant::solvers::position_based {

// The pairs of a chunk.
struct GrainBlocks {
    static constexpr std::uint32_t nobody = ~0u;

    AlignedVector<std::uint32_t> offsets;              // [block][2][16], byte offsets of slots
    AlignedVector<float> pushes;                       // [block][3][16], m, on the first
    AlignedVector<GrainPairTraits> traits;             // [block]; none where all grains are alike
    std::vector<std::array<std::uint32_t, 2>> grains;  // [block][16], `nobody` in empty lanes
    std::size_t blocks = 0;

    void reserve(std::size_t pairs, bool has_traits);
    Vec3 push(std::size_t pair) const {
        const float* p = pushes.data() + first_push(pair);
        return {p[0], p[block_size], p[2 * block_size]};
    }
    void set_push(std::size_t pair, const Vec3& push) {
        float* p = pushes.data() + first_push(pair);
        p[0] = push.x, p[block_size] = push.y, p[2 * block_size] = push.z;
    }

private:
    static std::size_t first_push(std::size_t pair) {
        return pair / block_size * 3 * block_size + pair % block_size;
    }
};

// Gives each pair the first of 32 open blocks in which neither of its grains is. A full block is closed.
class GrainPacker {
public:
    // dummy: byte offset of the slot that empty lanes read and write. marks: of each grain, which of the open
    // blocks have it; all 0 before and after.
    GrainPacker(GrainBlocks& blocks, std::uint32_t dummy, bool has_traits, std::span<std::uint32_t> marks);
    ~GrainPacker() { close_all(); }
    GrainPacker(const GrainPacker&) = delete;
    GrainPacker& operator=(const GrainPacker&) = delete;

    // Gives the number of the pair.
    std::size_t add(std::uint32_t a, std::uint32_t b, std::uint32_t offset_a, std::uint32_t offset_b);

private:
    void open(std::size_t bit);
    void close(std::size_t bit);
    void close_all();

    GrainBlocks& blocks_;
    const std::uint32_t dummy_;
    const bool has_traits_;
    std::span<std::uint32_t> marks_;
    std::uint32_t open_ = 0;  // bit by bit
    std::array<std::size_t, 32> block_{}, filled_{};
};

}  // namespace pliant::solvers::position_based
