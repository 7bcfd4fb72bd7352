#include <pliant/output/plot.h>

#include "base/files/extension.h"
#include "base/files/output_file.h"
#include "base/floating_point.h"
#include "output/figures/axis.h"
#include "output/figures/svg.h"
#include "output/figures/svg_to_png.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>

namespace pliant::output {
namespace {

using Value = std::function<double(const StatisticsRow&)>;

struct Series {
    std::string_view label, colour;
    Value value;
};

struct Panel {
    std::string_view title, unit;
    AxisWishes wishes;
    std::vector<Series> series;
};

// clang-format off
std::vector<Panel> panels() {
    return {
        {"Energy", "J", {}, {
            {"kinetic", orange, [](auto& r) { return r.kinetic_energy; }},
            {"potential", blue, [](auto& r) { return r.potential_energy; }},
            {"total", black, [](auto& r) { return r.total_energy; }}}},
        {"Momentum", "kg·m/s", {}, {
            {"x", orange, [](auto& r) { return r.momentum.x; }},
            {"y", green, [](auto& r) { return r.momentum.y; }},
            {"z", blue, [](auto& r) { return r.momentum.z; }}}},
        {"Volume", "% of rest", {.smallest_span = 1}, {
            {"", blue, [](auto& r) { return 100 * r.volume_ratio; }}}},
        {"Constraint error", "relative", {.logarithmic = true, .from_zero = true}, {
            {"worst", orange, [](auto& r) { return r.worst_constraint_error; }},
            {"mean", blue, [](auto& r) { return r.mean_constraint_error; }}}},
        {"Inverted elements", "count", {.from_zero = true, .whole_numbers = true, .smallest_span = 1}, {
            {"", orange, [](auto& r) { return r.inverted_tetrahedra; }}}},
        {"Time per frame", "ms", {.logarithmic = true, .from_zero = true}, {
            {"", blue, [](auto& r) { return r.step_time; }}}},
    };
}
// clang-format on

// In pixels.
constexpr double figure_width = 760, left = 62, right = 16, between = 78, bottom = 48;
constexpr double panel_width = (figure_width - left - right - between) / 2, panel_height = 128,
                 row_height = 174;

struct Frame {
    double x = 0, y = 0;  // upper left corner
    const Axis *across = nullptr, *up = nullptr;

    double at_time(double t) const { return x + panel_width * across->share(t); }
    double at_value(double v) const { return y + panel_height * (1 - up->share(v)); }
};

std::string curves(const Frame& frame, const Series& series, const std::vector<StatisticsRow>& rows) {
    std::string out;
    std::vector<SvgPoint> points;
    const auto end = [&] {
        if (!points.empty()) out += svg_curve(points, series.colour);
        points.clear();
    };
    for (const StatisticsRow& row : rows) {
        const double value = series.value(row);
        if (std::isfinite(value) && std::isfinite(row.time)) {
            points.push_back({frame.at_time(row.time), frame.at_value(value)});
        } else {
            end();
        }
    }
    end();
    return out;
}

std::string grid(const Frame& frame, bool time_labels) {
    std::string lines, labels;
    const double foot = frame.y + panel_height;
    for (const Tick& tick : frame.across->ticks) {
        const double x = frame.at_time(tick.value);
        lines += svg_line(x, frame.y, x, foot, "#e4e4e4");
        if (time_labels) labels += svg_text(x, foot + 15, "text-anchor=\"middle\"", tick.label);
    }
    for (const Tick& tick : frame.up->ticks) {
        const double y = frame.at_value(tick.value);
        lines += svg_line(frame.x, y, frame.x + panel_width, y, "#e4e4e4");
        labels += svg_text(frame.x - 7, y + 3.6, "text-anchor=\"end\"", tick.label);
    }
    if (!frame.up->logarithmic && frame.up->low < 0 && frame.up->high > 0) {
        lines += svg_line(frame.x, frame.at_value(0), frame.x + panel_width, frame.at_value(0), "#b0b0b0");
    }
    lines += fmt::format(
        "<path d=\"M{0:.2f} {1:.2f}L{0:.2f} {2:.2f}L{3:.2f} {2:.2f}\" fill=\"none\" stroke=\"#707070\"/>\n",
        frame.x, frame.y, foot, frame.x + panel_width);
    return lines + labels;
}

// Of small letters, by Helvetica's table of widths; other fonts are much like it.
double text_width(std::string_view letters) {
    constexpr double thousandths[] = {556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833,
                                      556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500};
    double width = 0;
    for (const char c : letters) width += c >= 'a' && c <= 'z' ? thousandths[c - 'a'] : 600;
    return width / 1000 * font_size;
}

std::string scale(const Axis& axis) { return axis.exponent == 0 ? "" : power_of_ten(axis.exponent) + " "; }

// Title and unit at the left, legend at the right.
std::string heading(const Frame& frame, const Panel& panel) {
    std::string out = fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\"><tspan font-weight=\"bold\" font-size=\"12\" "
        "fill=\"#222222\">{}</tspan> "
        "({}{})</text>\n",
        frame.x, frame.y - 9, panel.title, scale(*frame.up), panel.unit);
    double x = frame.x + panel_width;
    for (auto series = panel.series.rbegin(); series != panel.series.rend(); ++series) {
        if (series->label.empty()) continue;
        out += svg_text(x, frame.y - 9, "text-anchor=\"end\"", series->label);
        x -= text_width(series->label) + 6;
        out +=
            fmt::format("<path d=\"M{:.2f} {:.2f}h-14\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n",
                        x, frame.y - 12.5, series->colour);
        x -= 14 + 14;
    }
    return out;
}

std::string draw(const Panel& panel, Frame frame, const std::vector<StatisticsRow>& rows, bool time_labels) {
    std::vector<double> values;
    for (const Series& series : panel.series) {
        for (const StatisticsRow& row : rows) values.push_back(series.value(row));
    }
    const bool empty = std::none_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
    const Axis up = empty ? Axis() : make_axis(values, panel.wishes, 5);
    frame.up = &up;
    std::string out = heading(frame, panel) + grid(frame, time_labels);
    for (const Series& series : panel.series) out += curves(frame, series, rows);
    if (empty) {
        out += svg_text(frame.x + panel_width / 2, frame.y + panel_height / 2 + 4,
                        "text-anchor=\"middle\" fill=\"#909090\"", "no data");
    }
    return out;
}

}  // namespace

std::string plot_svg(const std::vector<StatisticsRow>& rows, const std::string& title) {
    const StandardFloatingPoint floating_point;
    std::vector<double> times;
    for (const StatisticsRow& row : rows) times.push_back(row.time);
    const Axis across = make_axis(times, {.padding = 0}, 6);

    const double top = title.empty() ? 34 : 62;
    const std::vector<Panel> all = panels();
    const std::size_t lines = (all.size() + 1) / 2;
    const double height = top + row_height * static_cast<double>(lines - 1) + panel_height + bottom;
    std::string out = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n"
        "<g font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\" font-size=\"{2}\" "
        "fill=\"#505050\" stroke-linejoin=\"round\">\n",
        figure_width, height, font_size);
    if (!title.empty())
        out += svg_text(left, 26, "font-size=\"15\" font-weight=\"bold\" fill=\"#222222\"", title);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const double x = left + (panel_width + between) * static_cast<double>(i % 2);
        const double y = top + row_height * static_cast<double>(i / 2);
        const bool last_row = i / 2 + 1 == lines;
        out += draw(all[i], {x, y, &across, nullptr}, rows, last_row);
        if (last_row) {
            out += svg_text(x + panel_width / 2, y + panel_height + 34, "text-anchor=\"middle\"",
                            "time (" + scale(across) + "s)");
        }
    }
    return out + "</g>\n</svg>\n";
}

Status check_plot_name(const std::filesystem::path& file) {
    if (extension_of(file) == ".png" || extension_of(file) == ".svg") return {};
    return Error{file.string(), "a plot must be called .svg or .png"};
}

Status write_plot(const std::filesystem::path& file, const std::vector<StatisticsRow>& rows,
                  const std::string& title) {
    const StandardFloatingPoint floating_point;
    if (const Status good = check_plot_name(file); !good) return good;
    if (extension_of(file) == ".png") return svg_to_png(plot_svg(rows, title), file);
    return write_file(file, plot_svg(rows, title));
}

}  // namespace pliant::output
