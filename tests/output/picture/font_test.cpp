#include "output/picture/font.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

using namespace pliant::output;

namespace {

struct Page {
    int width = 60, height = 60;
    std::vector<std::uint8_t> rgb = std::vector<std::uint8_t>(3 * 60 * 60, 255);
    Canvas canvas() { return {width, height, rgb}; }
    std::size_t dark() const {
        return static_cast<std::size_t>(
            std::count_if(rgb.begin(), rgb.end(), [](std::uint8_t x) { return x < 128; }));
    }
};

Page written(const std::string& text, double x = 10, double y = 40, double size = 24) {
    Page page;
    draw_text(page.canvas(), text, x, y, size, {});
    return page;
}

}  // namespace

TEST_CASE("every letter is drawn, and no two alike") {
    std::set<std::string> all;
    for (char c = '!'; c <= '~'; ++c) {
        const Page page = written(std::string(1, c));
        CHECK_MESSAGE(page.dark() > 10, c);
        all.emplace(page.rgb.begin(), page.rgb.end());
    }
    CHECK(all.size() == 94);
    CHECK(written(" ").dark() == 0);
}

TEST_CASE("text is as wide as it says, and may lie outside the picture") {
    CHECK(text_width("", 10) == 0);
    CHECK(text_width("ab", 10) > text_width("a", 10) + 1);
    CHECK(text_width("H", 12) == doctest::Approx(2 * text_width("H", 6)));
    CHECK(written("x", -500, -500).dark() == 0);
    CHECK(written("x", 1e6, 30).dark() == 0);
    CHECK(written("MMMM", -20, 5).dark() > 0);
}

TEST_CASE("bytes that are no text are shown as boxes") {
    const Page box = written("\xff");
    CHECK(box.dark() > 10);
    CHECK(written("\xe4\xb8\xad").rgb == box.rgb);  // a character the font lacks
    CHECK(written("\xc3").rgb == box.rgb);          // one that is cut off
    CHECK(written("\xc2\xb5").rgb != box.rgb);      // µ
}
