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
    {"jelly", 0x450afed39219c80c},
    {"rope", 0x2fca4bacebccc35f},
    {"drape", 0x9a07e7e9b6c36220},
    {"bars", 0xc7ca10a6d37a4f78},
    {"c30", 0x7a9efe49e9a18408},
    {"j6", 0x02b9912b1a528ebd},
    {"mixed", 0x6ab4ee0bcd48e28b},
    {"mixed_pbd", 0x381d0c9a7d0eaaa4},
    {"wind", 0xc69bc9a0f5a39484},
    {"moving", 0x2134495777aec0a7},
    {"shapes", 0x3a55a4f86e2bd4a6},
    {"events", 0x57a8c4997b66dbf6},
    {"elements", 0x3d65c13634f0b325},
    {"rescue", 0x6452879c13c2833c},
    {"strands", 0x652f3e27e1ba4fbd},
    {"skeleton", 0xd11e57ce434370e9},
    {"hair", 0x881eb7ec28951fed},
    {"dress", 0xe35525056cf2d9a6},
    {"contact", 0x398ce132908d01cd},
    {"safe", 0x83c60fb3c8201f9b},
    {"grains", 0x9eb8a2779c2a2c54},
    {"fabrics", 0x168e066fe6ff4a90},
    {"c100", 0x9e4723495f4a3d95},
    {"j20", 0x9b55442b60d1f42d},
};
// clang-format on
