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
    {"jelly", 0xce68a943d31c0afa},
    {"rope", 0x008716ab345fb2b7},
    {"drape", 0xc430d8fed712d7ca},
    {"c30", 0xfa19573e439c4873},
    {"j6", 0xb85c169a74d7d7e7},
    {"mixed", 0xc4fb57947c34975c},
    {"mixed_pbd", 0x928d95f63d44138a},
    {"c100", 0xf5f18d8073b94936},
    {"j20", 0x061575078a5bfa78},
};
// clang-format on
