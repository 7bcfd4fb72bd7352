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
    {"jelly", 0x3a3bded8e4bba069},
    {"rope", 0x2fca4bacebccc35f},
    {"drape", 0x3204f7a4023edb91},
    {"bars", 0x1609d882f1ff28cd},
    {"c30", 0x7a9efe49e9a18408},
    {"j6", 0x02b9912b1a528ebd},
    {"mixed", 0x5d8dc494a872c4d7},
    {"mixed_pbd", 0xccfe33d6717c72ba},
    {"wind", 0x97e867bed8a7d1c7},
    {"moving", 0x4ff1bb9c203fbdc8},
    {"events", 0x9265b50d0bfce6ba},
    {"elements", 0x6a8be099ad8133c9},
    {"strands", 0x125b95feec61b357},
    {"dress", 0x354154bf05fd0607},
    {"c100", 0x9e4723495f4a3d95},
    {"j20", 0x9b55442b60d1f42d},
};
// clang-format on
