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
    {"jelly", 0xdae3dfd01a6a2479},
    {"rope", 0x4c75693a98d0f4b8},
    {"drape", 0x730faf3948ac083d},
    {"bars", 0xe6bf92bf93b15cb9},
    {"c30", 0x7a9efe49e9a18408},
    {"j6", 0x02b9912b1a528ebd},
    {"mixed", 0x80790b28be0b1116},
    {"mixed_pbd", 0xbbe883112c7053d8},
    {"wind", 0x67ae4dc405070eca},
    {"moving", 0xd9ce9b0e13b56f65},
    {"events", 0xd1684cd0973ea93c},
    {"dress", 0x7c53e5e3dac1e13b},
    {"c100", 0x9e4723495f4a3d95},
    {"j20", 0x9b55442b60d1f42d},
};
// clang-format on
