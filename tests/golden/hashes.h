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
    {"drape", 0xdb61c334de80b0c8},
    {"bars", 0x2bd4beeb156fa5a2},
    {"c30", 0x7a9efe49e9a18408},
    {"j6", 0x02b9912b1a528ebd},
    {"mixed", 0x306c12874faa6926},
    {"mixed_pbd", 0xe36b7483307a5c23},
    {"wind", 0xf3e92618c2bed66d},
    {"moving", 0x859155d71393ce32},
    {"shapes", 0x894b13d8b34fadd1},
    {"events", 0xe861f70cb7aec408},
    {"elements", 0x1938f7f3ca2710f8},
    {"rescue", 0xf8722a1a5f53ea7b},
    {"strands", 0xf60f8bd8294b76a7},
    {"skeleton", 0x3af88341e7d9bdf3},
    {"hair", 0x7c2dddf9c2648ac4},
    {"dress", 0x0be0412c5776b9b7},
    {"contact", 0xc90d4bc528c7c1f9},
    {"safe", 0xf260a9cad3745f19},
    {"grains", 0x9eb8a2779c2a2c54},
    {"fabrics", 0x8efb2c925203e001},
    {"c100", 0x9e4723495f4a3d95},
    {"j20", 0x9b55442b60d1f42d},
};
// clang-format on
