#include "output/picture/annotate.h"

#include "base/format.h"
#include "output/picture/font.h"
#include "output/picture/palette.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pliant::output {
namespace {

constexpr Ink text_ink{28, 39, 51, 0.92f};

// All lengths follow from the shorter side of the picture.
struct Layout {
    explicit Layout(const Canvas& canvas)
        : large(std::max(std::min(canvas.width, canvas.height) * 0.0215, 7.0)),
          small(std::max(std::min(canvas.width, canvas.height) * 0.0150, 6.0)),
          margin(2.2 * large) {}
    double large, small, margin;
};

struct Line {
    std::string_view text;
    double size;
};

// The lines of a caption; those that are too long are broken between words.
std::vector<Line> lines_of(std::string_view text, const Layout& layout, double width) {
    std::vector<Line> lines;
    double size = layout.large;
    while (!text.empty()) {
        const std::size_t line_end = std::min(text.find('\n'), text.size());
        std::size_t end = line_end;
        while (text_width(text.substr(0, end), size) > width) {
            const std::size_t space = text.substr(0, end).rfind(' ');
            if (space == std::string_view::npos || space == 0) break;
            end = space;
        }
        lines.push_back({text.substr(0, end), size});
        text.remove_prefix(std::min(end + 1, text.size()));
        if (end == line_end) size = layout.small;
    }
    return lines;
}

void draw_caption(const Canvas& canvas, const Layout& layout, const Caption& caption) {
    const bool right = caption.corner == Corner::top_right || caption.corner == Corner::bottom_right;
    const bool bottom = caption.corner == Corner::bottom_left || caption.corner == Corner::bottom_right;
    const std::vector<Line> lines = lines_of(caption.text, layout, canvas.width - 2 * layout.margin);
    const auto pitch = [](const Line& line) { return 2.1 * line.size; };
    double y = layout.margin + layout.large;
    if (bottom) {
        y = canvas.height - layout.margin;
        for (std::size_t i = 1; i < lines.size(); ++i) y -= pitch(lines[i]);
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto& [text, size] = lines[i];
        if (i > 0) y += pitch(lines[i]);
        const double x = right ? canvas.width - layout.margin - text_width(text, size) : layout.margin;
        draw_text(canvas, text, x, y, size, text_ink);
    }
}

// A rectangle with round corners.
void draw_panel(const Canvas& canvas, double left, double top, double right, double bottom, double rounding,
                const Ink& ink) {
    for (int y = static_cast<int>(top); y < bottom; ++y) {
        for (int x = static_cast<int>(left); x < right; ++x) {
            const double dx = std::max({left + rounding - x - 0.5, x + 0.5 - right + rounding, 0.0});
            const double dy = std::max({top + rounding - y - 0.5, y + 0.5 - bottom + rounding, 0.0});
            blend(canvas, x, y, ink, static_cast<float>(rounding - std::hypot(dx, dy) + 0.5));
        }
    }
}

// Steps of 1, 2 or 5 times a power of ten, at most six of them.
double tick_step(double range) {
    const double rough = range / 5, power = std::pow(10, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= rough) return factor * power;
    }
    return 10 * power;
}

void draw_legend(const Canvas& canvas, const Layout& layout, const Scale& scale) {
    if (!(scale.high > scale.low) || !std::isfinite(scale.high - scale.low)) return;
    const double size = layout.small, length = 0.42 * canvas.height, width = 1.1 * size;
    const double step = tick_step(scale.high - scale.low);
    struct Tick {
        double share;
        std::string text;
    };
    std::vector<Tick> ticks;
    double widest = text_width(scale.title, size) - width - size;
    for (double k = std::ceil(scale.low / step - 1e-6); k * step <= scale.high + 1e-6 * step; ++k) {
        const double value = k * step;
        ticks.push_back({(value - scale.low) / (scale.high - scale.low),
                         fmt::format("{:.4g}", std::abs(value) < 1e-9 * step ? 0 : value)});
        widest = std::max(widest, text_width(ticks.back().text, size));
    }
    const double right = canvas.width - layout.margin, left = right - widest - width - size;
    const double top = 0.5 * (canvas.height - length), bottom = top + length;
    draw_panel(canvas, left - size, top - 3.6 * size, right + size, bottom + 1.6 * size, size,
               {255, 255, 255, 0.55f});
    draw_text(canvas, scale.title, left, top - 1.5 * size, size, text_ink);
    for (int y = static_cast<int>(top); y < bottom; ++y) {
        const Color c = value_color(1 - (y + 0.5 - top) / length);
        const auto byte = [](float x) { return static_cast<std::uint8_t>(255 * x + 0.5f); };
        for (int x = static_cast<int>(left); x < left + width; ++x) {
            blend(canvas, x, y, {byte(c.red), byte(c.green), byte(c.blue), 1}, 1);
        }
    }
    for (const Tick& tick : ticks) {
        const double y = bottom - tick.share * length;
        for (int x = static_cast<int>(left + width); x < left + width + 0.35 * size; ++x) {
            blend(canvas, x, static_cast<int>(y), text_ink, 0.7f);
        }
        draw_text(canvas, tick.text, left + width + size, y + 0.5 * size, size, text_ink);
    }
}

}  // namespace

void annotate(const Picture& picture, int width, int height, std::span<std::uint8_t> rgb) {
    constexpr int least = 100;  // pixels: smaller pictures would be all letters
    if (width < least || height < least) return;
    const Canvas canvas{width, height, rgb};
    const Layout layout(canvas);
    if (picture.scale) draw_legend(canvas, layout, *picture.scale);
    for (const Caption& caption : picture.captions) draw_caption(canvas, layout, caption);
}

}  // namespace pliant::output
