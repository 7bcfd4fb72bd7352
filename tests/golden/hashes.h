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
    {"jelly", 0xed199f6304fe4951},
    {"rope", 0x4c75693a98d0f4b8},
    {"drape", 0x730faf3948ac083d},
    {"bars", 0xe6bf92bf93b15cb9},
    {"c30", 0x7a9efe49e9a18408},
    {"j6", 0x02b9912b1a528ebd},
    {"mixed", 0x47ce252c36049bdb},
    {"mixed_pbd", 0x5c357ac46e61eb9e},
    {"wind", 0xe2d2450bc12989c1},
    {"moving", 0x8d11d1430cfbcad6},
    {"events", 0x2e04035574a45a0a},
    {"dress", 0x7c53e5e3dac1e13b},
    {"c100", 0x9e4723495f4a3d95},
    {"j20", 0x9b55442b60d1f42d},
};
// clang-format on
