// Pieces of SVG 1.1 figures.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pliant::output {

// Colours that the colour-blind tell apart (Okabe and Ito, "Color Universal Design", 2008).
inline constexpr std::string_view black = "#222222", blue = "#0072b2", orange = "#d55e00", green = "#009e73",
                                  purple = "#cc79a7";

inline constexpr double font_size = 11;  // pixels

struct SvgPoint {
    double x = 0, y = 0;
};

std::string svg_text(double x, double y, std::string_view attributes, std::string_view content);
std::string svg_line(double x1, double y1, double x2, double y2, std::string_view colour);
// Without gaps. Of many points in half a pixel the first, lowest, highest and last are enough.
// dashes: as in stroke-dasharray, "6 3"; none: solid.
std::string svg_curve(const std::vector<SvgPoint>& points, std::string_view colour,
                      std::string_view dashes = {});

}  // namespace pliant::output
