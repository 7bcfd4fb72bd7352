#include "collision/search/scan.h"

#include <cstring>

#if defined(__x86_64__) && !defined(__EMSCRIPTEN__)
#define PLIANT_WIDE_SCAN
#include <immintrin.h>
#endif

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // g++ 12 warns falsely of lanes that are not chosen
#endif

namespace pliant::collision {
namespace {

// Differences, squares and their sum in floats, in this order, at every width: the same bits.
std::size_t scan_plain(const Cells& c, std::uint32_t place, std::span<const PointRange> ranges,
                       float distance, std::array<std::uint32_t, 2>* found) {
    const float x = c.x[place], y = c.y[place], z = c.z[place], limit = distance * distance;
    const std::uint32_t own = c.index[place];
    std::size_t count = 0;
    for (const PointRange& range : ranges) {
        for (std::uint32_t j = range.first; j < range.end; ++j) {
            const float dx = c.x[j] - x, dy = c.y[j] - y, dz = c.z[j] - z;
            const float squared = (dx * dx + dy * dy) + dz * dz;
            const std::uint32_t other = c.index[j];
            found[count] = {own < other ? own : other, own < other ? other : own};
            count += squared <= limit && (!c.grid.hashed || c.mark[j] == range.mark);
        }
    }
    return count;
}

#ifdef PLIANT_WIDE_SCAN

// Of every choice of eight lanes, those that are chosen, one after the other.
struct Choices {
    std::uint32_t lanes[256][8] = {};
    constexpr Choices() {
        for (unsigned bits = 0; bits < 256; ++bits) {
            std::size_t count = 0;
            for (unsigned lane = 0; lane < 8; ++lane) {
                if (bits >> lane & 1) lanes[bits][count++] = lane;
            }
        }
    }
};
constexpr Choices choices;

__attribute__((target("avx2"), always_inline)) inline __m256i load_integers(const std::uint32_t* from) {
    __m256i loaded;
    std::memcpy(&loaded, from, sizeof loaded);
    return loaded;
}

// Both write all lanes, those that are chosen first: what is found next is written over the rest. A branch
// for each would be guessed wrongly half of the time.

[[gnu::target("avx2,popcnt")]] std::size_t scan_avx2(const Cells& c, std::uint32_t place,
                                                     std::span<const PointRange> ranges, float distance,
                                                     std::array<std::uint32_t, 2>* found) {
    const __m256 x = _mm256_set1_ps(c.x[place]), y = _mm256_set1_ps(c.y[place]),
                 z = _mm256_set1_ps(c.z[place]), limit = _mm256_set1_ps(distance * distance);
    const __m256i own = _mm256_set1_epi32(static_cast<int>(c.index[place]));
    std::size_t count = 0;
    for (const PointRange& range : ranges) {
        for (std::uint32_t j = range.first; j < range.end; j += 8) {
            const __m256 dx = _mm256_sub_ps(_mm256_loadu_ps(&c.x[j]), x),
                         dy = _mm256_sub_ps(_mm256_loadu_ps(&c.y[j]), y),
                         dz = _mm256_sub_ps(_mm256_loadu_ps(&c.z[j]), z);
            const __m256 squared = _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(dx, dx), _mm256_mul_ps(dy, dy)),
                                                 _mm256_mul_ps(dz, dz));
            auto bits = static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(squared, limit, _CMP_LE_OQ)));
            if (range.end - j < 8) bits &= (1u << (range.end - j)) - 1;
            if (c.grid.hashed) {
                const __m256i same = _mm256_cmpeq_epi32(load_integers(&c.mark[j]),
                                                        _mm256_set1_epi32(static_cast<int>(range.mark)));
                bits &= static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(same)));
            }
            const __m256i others =
                _mm256_permutevar8x32_epi32(load_integers(&c.index[j]), load_integers(choices.lanes[bits]));
            const __m256i low = _mm256_min_epu32(own, others), high = _mm256_max_epu32(own, others);
            const __m256i even = _mm256_unpacklo_epi32(low, high), odd = _mm256_unpackhi_epi32(low, high);
            const __m256i pairs[2] = {_mm256_permute2x128_si256(even, odd, 0x20),
                                      _mm256_permute2x128_si256(even, odd, 0x31)};
            std::memcpy(static_cast<void*>(found + count), pairs, sizeof pairs);
            count += static_cast<std::size_t>(__builtin_popcount(bits));
        }
    }
    return count;
}

[[gnu::target("avx512f,avx512vl,avx512bw,avx512dq,popcnt")]] std::size_t scan_avx512(
    const Cells& c, std::uint32_t place, std::span<const PointRange> ranges, float distance,
    std::array<std::uint32_t, 2>* found) {
    const __m512 x = _mm512_set1_ps(c.x[place]), y = _mm512_set1_ps(c.y[place]),
                 z = _mm512_set1_ps(c.z[place]), limit = _mm512_set1_ps(distance * distance);
    const __m512i own = _mm512_set1_epi32(static_cast<int>(c.index[place]));
    const __m512i first = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
                  last = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
    std::size_t count = 0;
    for (const PointRange& range : ranges) {
        for (std::uint32_t j = range.first; j < range.end; j += 16) {
            const __m512 dx = _mm512_sub_ps(_mm512_loadu_ps(&c.x[j]), x),
                         dy = _mm512_sub_ps(_mm512_loadu_ps(&c.y[j]), y),
                         dz = _mm512_sub_ps(_mm512_loadu_ps(&c.z[j]), z);
            const __m512 squared = _mm512_add_ps(_mm512_add_ps(_mm512_mul_ps(dx, dx), _mm512_mul_ps(dy, dy)),
                                                 _mm512_mul_ps(dz, dz));
            __mmask16 bits = _mm512_cmp_ps_mask(squared, limit, _CMP_LE_OQ);
            if (range.end - j < 16) bits = static_cast<__mmask16>(bits & ((1u << (range.end - j)) - 1));
            if (c.grid.hashed) {
                const __m512i marks = _mm512_loadu_si512(&c.mark[j]);
                bits = _mm512_mask_cmpeq_epi32_mask(bits, marks,
                                                    _mm512_set1_epi32(static_cast<int>(range.mark)));
            }
            const __m512i others = _mm512_maskz_compress_epi32(bits, _mm512_loadu_si512(&c.index[j]));
            const __m512i low = _mm512_min_epu32(own, others), high = _mm512_max_epu32(own, others);
            _mm512_storeu_si512(static_cast<void*>(found + count),
                                _mm512_permutex2var_epi32(low, first, high));
            const auto more = static_cast<std::size_t>(__builtin_popcount(bits));
            if (more > 8)
                _mm512_storeu_si512(static_cast<void*>(found + count + 8),
                                    _mm512_permutex2var_epi32(low, last, high));
            count += more;
        }
    }
    return count;
}

#endif

}  // namespace

PairScan pair_scan() {
#ifdef PLIANT_WIDE_SCAN
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq"))
        return scan_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt")) return scan_avx2;
#endif
    return scan_plain;
}

}  // namespace pliant::collision
