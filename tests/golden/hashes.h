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
    {"jelly", 0xb9a2265b211278cd},
    {"rope", 0x2fca4bacebccc35f},
    {"drape", 0x9a07e7e9b6c36220},
    {"bars", 0xc7ca10a6d37a4f78},
    {"c30", 0x7a9efe49e9a18408},
    {"j6", 0x02b9912b1a528ebd},
    {"mixed", 0x40493bcf14d889d6},
    {"mixed_pbd", 0x2952fe6fd8c496a7},
    {"wind", 0xc69bc9a0f5a39484},
    {"moving", 0x2134495777aec0a7},
    {"shapes", 0x3a55a4f86e2bd4a6},
    {"events", 0xa16af4591de84bba},
    {"elements", 0x9367ec605daaf282},
    {"rescue", 0x293a30c64f4f3e3b},
    {"strands", 0x652f3e27e1ba4fbd},
    {"skeleton", 0xd11e57ce434370e9},
    {"hair", 0x881eb7ec28951fed},
    {"dress", 0xc12e29e94e45ba0f},
    {"contact", 0xc90d4bc528c7c1f9},
    {"safe", 0xf260a9cad3745f19},
    {"grains", 0x9eb8a2779c2a2c54},
    {"fabrics", 0x3857941468197398},
    {"c100", 0x9e4723495f4a3d95},
    {"j20", 0x9b55442b60d1f42d},
};
// clang-format on
