#include "output/figures/svg.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/format.h"

namespace pliant::output {

std::string svg_text(double x, double y, std::string_view attributes, std::string_view content) {
    std::string escaped;
    for (const char c : content) {
        if (c == '<') {
            escaped += "&lt;";
        } else if (c == '&') {
            escaped += "&amp;";
        } else {
            escaped += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
    }
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\"{}{}>{}</text>\n", x, y, attributes.empty() ? "" : " ",
                       attributes, escaped);
}

std::string svg_line(double x1, double y1, double x2, double y2, std::string_view colour) {
    return fmt::format("<path d=\"M{:.2f} {:.2f}L{:.2f} {:.2f}\" fill=\"none\" stroke=\"{}\"/>\n", x1, y1, x2,
                       y2, colour);
}

std::string svg_curve(const std::vector<SvgPoint>& points, std::string_view colour, std::string_view dashes) {
    if (points.empty()) return {};
    if (points.size() == 1) {
        return fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"2\" fill=\"{}\"/>\n", points[0].x,
                           points[0].y, colour);
    }
    std::string path;
    const auto add = [&](const SvgPoint& p) {
        path += fmt::format("{}{:.2f} {:.2f}", path.empty() ? "M" : "L", p.x, p.y);
    };
    for (std::size_t first = 0, last = 0; first < points.size(); first = last) {
        const double column = std::floor(2 * points[first].x);
        while (last < points.size() && std::floor(2 * points[last].x) == column) ++last;
        if (last - first <= 4) {
            for (std::size_t i = first; i < last; ++i) add(points[i]);
            continue;
        }
        const auto [low, high] =
            std::minmax_element(points.data() + first, points.data() + last,
                                [](const SvgPoint& a, const SvgPoint& b) { return a.y < b.y; });
        add(points[first]);
        add(std::min(low, high)[0]);
        add(std::max(low, high)[0]);
        add(points[last - 1]);
    }
    const std::string dashed = dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dashes);
    return fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"{}/>\n", path, colour,
                       dashed);
}

}  // namespace pliant::output
