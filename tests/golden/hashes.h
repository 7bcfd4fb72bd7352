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
    {"jelly", 0xd3258d4789ba44ab},
    {"rope", 0x2fca4bacebccc35f},
    {"drape", 0x9a07e7e9b6c36220},
    {"bars", 0xc7ca10a6d37a4f78},
    {"c30", 0x7a9efe49e9a18408},
    {"j6", 0x02b9912b1a528ebd},
    {"mixed", 0x9279bb4d100f76d2},
    {"mixed_pbd", 0xccfe33d6717c72ba},
    {"wind", 0xd5b44e5de0e3f98a},
    {"moving", 0x0023fad0c335fe04},
    {"events", 0xf126e9d3a50d4d10},
    {"elements", 0xbf34eadb5b22cd15},
    {"rescue", 0x7a5b2c57891ba63b},
    {"strands", 0xf5b4d55f36232138},
    {"hair", 0xc78d755b460a4c1f},
    {"dress", 0xe35525056cf2d9a6},
    {"c100", 0x9e4723495f4a3d95},
    {"j20", 0x9b55442b60d1f42d},
};
// clang-format on
