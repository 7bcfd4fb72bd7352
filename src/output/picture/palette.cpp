#include "output/picture/palette.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace pliant::output {
namespace {

Color from_bytes(std::uint32_t rgb) {
    const auto channel = [&](int shift) { return static_cast<float>(rgb >> shift & 255) / 255; };
    return {channel(16), channel(8), channel(0)};
}

}  // namespace

Color body_color(std::size_t body) {
    constexpr std::uint32_t colors[] = {0xe8473f, 0x2f7fc1, 0xf2a33a, 0x3aa17e, 0x8a63c7, 0xe86f9a, 0x4fb3c8};
    return from_bytes(colors[body % std::size(colors)]);
}

Color value_color(double share) {
    constexpr std::uint32_t colors[] = {0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c,
                                        0x28ae80, 0x5ec962, 0xaddc30, 0xfde725};
    constexpr int last = static_cast<int>(std::size(colors)) - 1;
    const double at = std::isnan(share) ? 0 : std::clamp(share, 0.0, 1.0) * last;
    const int below = std::min(static_cast<int>(at), last - 1);
    const float rest = static_cast<float>(at - below);
    const Color a = from_bytes(colors[below]), b = from_bytes(colors[below + 1]);
    return {a.red + (b.red - a.red) * rest, a.green + (b.green - a.green) * rest,
            a.blue + (b.blue - a.blue) * rest};
}

}  // namespace pliant::output
