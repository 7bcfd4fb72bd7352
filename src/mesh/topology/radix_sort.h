// Sorts records by their leading words, in time linear in their number. Stable, so the order is
// the same with every standard library, also among records with equal keys.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace pliant::mesh {

// A record is Words numbers; the first Keys of them are compared, the most significant first.
//
// Least significant digit first, with counting sort per digit. Digits are as even as the largest
// number allows and at most 11 bits wide, so that the write cursors stay in the first-level cache.
template <std::size_t Keys, std::size_t Words>
void radix_sort(std::vector<std::array<std::uint32_t, Words>>& records) {
    static_assert(Keys <= Words);
    constexpr int widest_digit = 11;
    if (records.size() < 2) return;

    std::uint32_t largest = 0;
    for (const auto& record : records) {
        for (std::size_t key = 0; key < Keys; ++key) largest = std::max(largest, record[key]);
    }
    int bits = 0;
    while (bits < 32 && (largest >> bits) != 0) ++bits;
    if (bits == 0) return;
    const int digits = (bits + widest_digit - 1) / widest_digit;
    const int digit_bits = (bits + digits - 1) / digits;
    const std::uint32_t mask = (1u << digit_bits) - 1;

    // Count the records with each value of each digit, of the last key's lowest digit first.
    const auto value = [&](std::uint32_t word, int digit) { return word >> (digit * digit_bits) & mask; };
    const std::size_t values = std::size_t{1} << digit_bits;
    std::vector<std::size_t> counts(Keys * static_cast<std::size_t>(digits) * values);
    for (const auto& record : records) {
        std::size_t* count = counts.data();
        for (std::size_t key = Keys; key-- > 0;) {
            for (int digit = 0; digit < digits; ++digit, count += values) ++count[value(record[key], digit)];
        }
    }

    // Move the records, digit by digit.
    std::vector<std::array<std::uint32_t, Words>> sorted(records.size());
    std::size_t* next = counts.data();
    for (std::size_t key = Keys; key-- > 0;) {
        for (int digit = 0; digit < digits; ++digit, next += values) {
            std::exclusive_scan(next, next + values, next, std::size_t{0});
            for (const auto& record : records) sorted[next[value(record[key], digit)]++] = record;
            records.swap(sorted);
        }
    }
}

}  // namespace pliant::mesh
