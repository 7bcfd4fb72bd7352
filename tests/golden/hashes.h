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
    {"rope", 0x4c75693a98d0f4b8},
    {"drape", 0x3204f7a4023edb91},
    {"bars", 0x1609d882f1ff28cd},
    {"c30", 0x7a9efe49e9a18408},
    {"j6", 0x02b9912b1a528ebd},
    {"mixed", 0x83e5e0cf2d433f51},
    {"mixed_pbd", 0xccfe33d6717c72ba},
    {"wind", 0x97e867bed8a7d1c7},
    {"moving", 0x4ff1bb9c203fbdc8},
    {"events", 0x86c2e3fa51c4a32e},
    {"elements", 0x6a8be099ad8133c9},
    {"dress", 0x354154bf05fd0607},
    {"c100", 0x9e4723495f4a3d95},
    {"j20", 0x9b55442b60d1f42d},
};
// clang-format on
