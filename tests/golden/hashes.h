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
    {"jelly", 0xa68f5bccc8d8453b},
    {"rope", 0x4c75693a98d0f4b8},
    {"drape", 0xde2d25c1ddb1aa86},
    {"bars", 0x1609d882f1ff28cd},
    {"c30", 0x7a9efe49e9a18408},
    {"j6", 0x02b9912b1a528ebd},
    {"mixed", 0xaeedd3f86da173e8},
    {"mixed_pbd", 0xab119be2deb4d151},
    {"wind", 0x97e867bed8a7d1c7},
    {"moving", 0x94dde3d08e9b7e0c},
    {"events", 0x28e6907d3aae8b43},
    {"elements", 0x811787b9c9ced5ce},
    {"dress", 0x354154bf05fd0607},
    {"c100", 0x9e4723495f4a3d95},
    {"j20", 0x9b55442b60d1f42d},
};
// clang-format on
