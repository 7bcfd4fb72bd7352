// Written by scripts/update_golden_hashes.
#pragma once

#include <cstdint>
#include <string_view>

struct GoldenHash {
    std::string_view scene;
    std::uint64_t hash;
};

// clang-format off
inline constexpr GoldenHash golden_hashes[] = {
    {"jelly", 0x3430cf56cd0f1fab},
    {"rope", 0x4c75693a98d0f4b8},
    {"drape", 0x4afb7f47cf9bfe20},
    {"bars", 0xb87362cc433e477a},
    {"c30", 0x7a9efe49e9a18408},
    {"j6", 0x02b9912b1a528ebd},
    {"mixed", 0x6b3e3c590c47ed13},
    {"mixed_pbd", 0x925dee94cbc7c70c},
    {"wind", 0xfe9e4604c5b1c030},
    {"moving", 0xd1e1e55c2af006c9},
    {"events", 0x271c5539177a6bb6},
    {"dress", 0x6fa09d1209a8faa9},
    {"c100", 0x9e4723495f4a3d95},
    {"j20", 0x9b55442b60d1f42d},
};
// clang-format on
