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
    {"mixed", 0xc432eb5d2650e8e8},
    {"mixed_pbd", 0x97756492fbbe8dfb},
    {"wind", 0xd5b44e5de0e3f98a},
    {"moving", 0x0023fad0c335fe04},
    {"events", 0xd7019b7c1911d19d},
    {"elements", 0x68edf7429eb6e991},
    {"rescue", 0x59d0bb48d68a875d},
    {"strands", 0xf2433f647bcad8b3},
    {"hair", 0x6a7759ae914cbd91},
    {"dress", 0xe35525056cf2d9a6},
    {"c100", 0x9e4723495f4a3d95},
    {"j20", 0x9b55442b60d1f42d},
};
// clang-format on
