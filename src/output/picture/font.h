// A font of strokes for ASCII and a few signs, drawn in any size: no font file is needed.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace pliant::output {

// A picture of three bytes a pixel, row after row from the top.
struct Canvas {
    int width = 0, height = 0;
    std::span<std::uint8_t> rgb;
};

struct Ink {
    std::uint8_t red = 0, green = 0, blue = 0;
    float opacity = 1;
};

// size: the height of a capital letter, in pixels. Text is UTF-8; a character that the font lacks is shown
// as a small box.
double text_width(std::string_view text, double size);

// Starts at x; the letters stand on the line y.
void draw_text(const Canvas& canvas, std::string_view text, double x, double y, double size, const Ink& ink);

// One point of the picture, if it is in it.
void blend(const Canvas& canvas, int x, int y, const Ink& ink, float coverage);

}  // namespace pliant::output
