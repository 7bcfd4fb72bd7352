// Pictures to draw, and a look at their pixels.
#pragma once

#include <pliant/output/picture.h>
#include <pliant/output/renderer.h>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pliant::test {

struct Pixels {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;

    std::array<int, 3> at(int x, int y) const {
        const std::size_t i =
            3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
        return {rgb[i], rgb[i + 1], rgb[i + 2]};
    }
};

inline Pixels drawn(output::Renderer& renderer, const output::Picture& picture) {
    Pixels pixels{renderer.width(), renderer.height(), std::vector<std::uint8_t>(renderer.bytes())};
    const Status status = renderer.draw(picture, pixels.rgb);
    REQUIRE_MESSAGE(status, status.error().text());
    return pixels;
}

inline bool is_reddish(const std::array<int, 3>& c) {
    return c[0] > 1.6 * c[1] && c[0] > 1.6 * c[2] && c[0] > 60;
}

// A red ball of radius 1 at the origin, seen along −z.
inline output::Picture ball_picture() {
    output::Picture picture;
    picture.beads.push_back({{{0, 0, 0}}, {}, 1, {0.85f, 0.15f, 0.12f}});
    picture.camera = {{0, 0, 6}, {0, 0, 0}, 30};
    return picture;
}

}  // namespace pliant::test
