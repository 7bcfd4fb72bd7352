#include "output/figures/figure.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/format.h"
#include "output/figures/axis.h"

namespace pliant::output {
namespace {

// In pixels.
constexpr double left = 62, top = 44, width = 420, height = 240, legend = left + width + 16, bottom = 44,
                 legend_width = 270, legend_step = 15;

struct Axes {
    Axis across, up;

    SvgPoint at(const SvgPoint& p) const {
        return {left + width * across.share(p.x), top + height * (1 - up.share(p.y))};
    }
};

bool finite(const SvgPoint& p) { return std::isfinite(p.x) && std::isfinite(p.y); }

Axes make_axes(const Figure& figure) {
    std::vector<double> across, up;
    for (const FigureCurve& curve : figure.curves) {
        for (const SvgPoint& p : curve.points) {
            if (!finite(p)) continue;
            across.push_back(p.x);
            up.push_back(p.y);
        }
    }
    return {make_axis(across, {.padding = 0}, 6), make_axis(up, {}, 6)};
}

// "height (10⁻³ m)"
std::string text_of(const AxisLabel& label, const Axis& axis) {
    std::string unit(label.unit);
    if (axis.exponent != 0) unit = power_of_ten(axis.exponent) + (unit.empty() ? "" : " ") + unit;
    return unit.empty() ? std::string(label.name) : fmt::format("{} ({})", label.name, unit);
}

std::string draw_axes(const Figure& figure, const Axes& axes) {
    std::string out;
    for (const Tick& tick : axes.across.ticks) {
        const double x = left + width * axes.across.share(tick.value);
        out += svg_line(x, top, x, top + height, "#e4e4e4");
        out += svg_text(x, top + height + 15, "text-anchor=\"middle\"", tick.label);
    }
    for (const Tick& tick : axes.up.ticks) {
        const double y = top + height * (1 - axes.up.share(tick.value));
        out += svg_line(left, y, left + width, y, "#e4e4e4");
        out += svg_text(left - 7, y + 3.6, "text-anchor=\"end\"", tick.label);
    }
    out += svg_line(left, top, left, top + height, "#707070");
    out += svg_line(left, top + height, left + width, top + height, "#707070");
    out += svg_text(left, 16, "font-size=\"13\" font-weight=\"bold\" fill=\"#222222\"", figure.title);
    out += svg_text(left, top - 9, "", text_of(figure.up, axes.up));
    return out + svg_text(left + width / 2, top + height + 34, "text-anchor=\"middle\"",
                          text_of(figure.across, axes.across));
}

std::string draw_curve(const FigureCurve& curve, const Axes& axes) {
    std::string out;
    std::vector<SvgPoint> piece;
    for (const SvgPoint& p : curve.points) {
        if (finite(p)) {
            piece.push_back(axes.at(p));
        } else {
            out += svg_curve(piece, curve.colour, curve.dashes);
            piece.clear();
        }
    }
    return out + svg_curve(piece, curve.colour, curve.dashes);
}

}  // namespace

std::string figure_svg(const Figure& figure) {
    const Axes axes = make_axes(figure);
    const double legend_height = legend_step * static_cast<double>(figure.curves.size());
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\">\n<g font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\" "
        "font-size=\"{2}\" fill=\"#505050\" stroke-linejoin=\"round\">\n",
        legend + legend_width, top + std::max(height + bottom, legend_height), font_size);
    out += draw_axes(figure, axes);
    double y = top + 6;
    for (const FigureCurve& curve : figure.curves) {
        out += draw_curve(curve, axes);
        out += svg_curve({{legend, y - 3.5}, {legend + 24, y - 3.5}}, curve.colour, curve.dashes);
        out += svg_text(legend + 30, y, "", curve.label);
        y += legend_step;
    }
    return out + "</g>\n</svg>\n";
}

}  // namespace pliant::output
