#include "output/picture/annotate.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace pliant::output;

namespace {

constexpr int width = 300, height = 200;

// Rows and columns of a white picture that a caption darkens: first and last.
struct Inked {
    int left = width, right = -1, top = height, bottom = -1;
};
Inked inked(const char* text, Corner corner) {
    Picture picture;
    picture.captions = {{text, corner}};
    std::vector<std::uint8_t> rgb(3 * width * height, 255);
    annotate(picture, width, height, rgb);
    Inked found;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            if (rgb[static_cast<std::size_t>(3 * (y * width + x))] == 255) continue;
            found = {std::min(found.left, x), std::max(found.right, x), std::min(found.top, y),
                     std::max(found.bottom, y)};
        }
    }
    return found;
}

}  // namespace

TEST_CASE("captions stand in their corners, and long ones are broken between words to fit") {
    const char* const brief = "A cloth";
    const char* const lengthy =
        "A cloth falls over a ball and drapes itself, again and again, until it rests";
    for (const Corner corner :
         {Corner::top_left, Corner::top_right, Corner::bottom_left, Corner::bottom_right}) {
        CAPTURE(int(corner));
        const Inked one = inked(brief, corner), more = inked(lengthy, corner);
        const bool right = corner == Corner::top_right || corner == Corner::bottom_right;
        const bool bottom = corner == Corner::bottom_left || corner == Corner::bottom_right;
        CHECK((right ? one.left > width / 2 : one.right < width / 2));
        CHECK((bottom ? one.top > height / 2 : one.bottom < height / 2));
        CHECK(more.left >= 10);
        CHECK(more.right < width - 10);
        CHECK(more.bottom - more.top > 2 * (one.bottom - one.top));
        CHECK((bottom ? more.bottom <= one.bottom + 4 : more.top >= one.top - 4));
        CHECK(more.bottom < height - 8);
    }
    CHECK(inked("", Corner::top_left).right == -1);
    CHECK(inked("Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen", Corner::top_left).right > 0);
}
