// A figure of curves over one pair of axes, with a legend beside it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "output/figures/svg.h"

namespace pliant::output {

struct FigureCurve {
    std::string label{};
    std::string_view colour = black, dashes{};
    std::vector<SvgPoint> points{};  // in the axes' units; what is not finite leaves a gap
};

struct AxisLabel {
    std::string_view name{}, unit{};
};

struct Figure {
    std::string title{};
    AxisLabel across{}, up{};
    std::vector<FigureCurve> curves{};  // the last one is drawn on top
};

// An <svg> element that may stand in a page.
std::string figure_svg(const Figure& figure);

}  // namespace pliant::output
