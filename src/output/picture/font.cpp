// A glyph is its width and its strokes, each a row of points. A point is two digits, x and y: letters stand
// on y = 2, small ones reach up to 6, capitals to 8, tails down to 0. The points of a stroke that begins with
// ~ steer a smooth curve, as in TrueType: the first and the last lie on it, and so do the middles between the
// others, which are its control points.
#include "output/picture/font.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace pliant::output {
namespace {

constexpr double cap_height = 6, baseline = 2, gap = 1.7, thickness = 0.78;

// From the space to the tilde.
constexpr std::array<std::string_view, 95> ascii{
    /*   */ "2",
    /* ! */ "0 0804 0202",
    /* " */ "2 0806 2826",
    /* # */ "4 1218 3238 0444 0646",
    /* $ */ "4 ~4748080525 ~2545420203 2921",
    /* % */ "5 0258 ~180806262818 ~443432525444",
    /* & */ "5 5206 ~060838360502325254",
    /* ' */ "0 0806",
    /* ( */ "2 ~29080221",
    /* ) */ "2 ~09282201",
    /* * */ "4 2824 0745 4705",
    /* + */ "4 2723 0545",
    /* , */ "1 1201",
    /* - */ "3 0535",
    /* . */ "0 0202",
    /* / */ "3 0139",
    /* 0 */ "4 ~280802424828",
    /* 1 */ "4 072822 0242",
    /* 2 */ "4 ~0608484502 0242",
    /* 3 */ "4 ~0708484525 1525 ~2545420203",
    /* 4 */ "4 32380444",
    /* 5 */ "4 480805 ~051646420203",
    /* 6 */ "4 ~47480804 ~040242460604",
    /* 7 */ "4 084812",
    /* 8 */ "4 ~280805454828 ~250502424525",
    /* 9 */ "4 ~464808044446 ~46420203",
    /* : */ "0 0606 0202",
    /* ; */ "1 1616 1201",
    /* < */ "4 470543",
    /* = */ "4 0646 0444",
    /* > */ "4 074503",
    /* ? */ "4 ~0708484525 2524 2222",
    /* @ */ "6 ~444224264644 4643 ~43426268080252",
    /* A */ "4 022842 1434",
    /* B */ "4 0208 ~08484505 ~05454202",
    /* C */ "4 ~474808024243",
    /* D */ "4 0208 ~08484202",
    /* E */ "4 48080242 0535",
    /* F */ "4 480802 0535",
    /* G */ "4 ~474808024244 444525",
    /* H */ "4 0208 4248 0545",
    /* I */ "0 0208",
    /* J */ "3 3834 ~34320203",
    /* K */ "4 0208 4804 1542",
    /* L */ "3 080232",
    /* M */ "5 0208245852",
    /* N */ "4 02084248",
    /* O */ "5 ~280802525828",
    /* P */ "4 0208 ~08484404",
    /* Q */ "5 ~280802525828 3452",
    /* R */ "4 0208 ~08484505 2542",
    /* S */ "4 ~4748080525 ~2545420203",
    /* T */ "4 0848 2822",
    /* U */ "4 0804 ~04024244 4448",
    /* V */ "4 082248",
    /* W */ "6 0812375268",
    /* X */ "4 0248 0842",
    /* Y */ "4 082548 2522",
    /* Z */ "4 08480242",
    /* [ */ "2 29090121",
    /* backslash */ "3 0931",
    /* ] */ "2 09292101",
    /* ^ */ "4 062846",
    /* _ */ "4 0141",
    /* ` */ "1 0917",
    /* a */ "4 ~05064644 4442 ~4414040242",
    /* b */ "4 0802 ~040646420204",
    /* c */ "3 ~353606023233",
    /* d */ "4 4842 ~444606024244",
    /* e */ "4 0444 ~444606024243",
    /* f */ "3 ~381816 1612 0626",
    /* g */ "4 4642 ~444606024244 ~42400001",
    /* h */ "4 0802 ~04064644 4442",
    /* i */ "0 0602 0808",
    /* j */ "1 1612 ~121000 1818",
    /* k */ "3 0802 3604 1432",
    /* l */ "1 0803 ~030212",
    /* m */ "6 0602 ~04063634 3432 ~34366664 6462",
    /* n */ "4 0602 ~04064644 4442",
    /* o */ "4 ~260602424626",
    /* p */ "4 0600 ~040646420204",
    /* q */ "4 4640 ~444606024244",
    /* r */ "3 0602 ~040636",
    /* s */ "3 ~3536060424 ~1434320203",
    /* t */ "3 1813 ~131232 0626",
    /* u */ "4 0604 ~04024244 4642",
    /* v */ "4 062246",
    /* w */ "6 0612365266",
    /* x */ "4 0246 0642",
    /* y */ "4 0622 4600",
    /* z */ "3 06360232",
    /* { */ "3 ~39191505 ~05151131",
    /* | */ "0 0901",
    /* } */ "3 ~09292535 ~35252101",
    /* ~ */ "4 ~05072345",
};

struct Sign {
    char32_t code;
    std::string_view glyph;
};
constexpr std::array<Sign, 9> signs{{{0xb0, "2 ~180806262818"},
                                     {0xb1, "4 2824 0646 0242"},
                                     {0xb2, "2 ~0809292705 0525"},
                                     {0xb3, "2 ~09292817 ~17272505"},
                                     {0xb5, "4 0600 ~04024244 4642"},
                                     {0xb7, "0 0505"},
                                     {0xd7, "4 0347 0743"},
                                     {0x2013, "4 0545"},
                                     {0x2212, "4 0545"}}};
constexpr std::string_view unknown = "3 0206363202";

// The next character of UTF-8 text; a byte that is none counts as U+FFFD.
char32_t next(std::string_view& text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(0);
    const std::size_t length = first < 0x80       ? 1
                               : first >> 5 == 6  ? 2
                               : first >> 4 == 14 ? 3
                               : first >> 3 == 30 ? 4
                                                  : 0;
    char32_t code = length == 1 ? first : first & (0x7fu >> length);
    bool valid = length > 0 && length <= text.size();
    for (std::size_t i = 1; valid && i < length; ++i) {
        valid = byte(i) >> 6 == 2;
        code = code << 6 | (byte(i) & 63u);
    }
    text.remove_prefix(valid ? length : 1);
    return valid ? code : 0xfffd;
}

std::string_view glyph_of(char32_t code) {
    if (code >= 32 && code < 127) return ascii[code - 32];
    for (const Sign& sign : signs) {
        if (sign.code == code) return sign.glyph;
    }
    return unknown;
}

double advance(std::string_view glyph) { return glyph[0] - '0' + gap; }

struct Point {
    double x = 0, y = 0;
};
struct Segment {
    Point from, to;
};

void add_curve(std::vector<Segment>& segments, Point a, Point control, Point b) {
    constexpr int pieces = 6;
    Point last = a;
    for (int i = 1; i <= pieces; ++i) {
        const double t = static_cast<double>(i) / pieces, s = 1 - t;
        const Point p{s * s * a.x + 2 * s * t * control.x + t * t * b.x,
                      s * s * a.y + 2 * s * t * control.y + t * t * b.y};
        segments.push_back({last, p});
        last = p;
    }
}

void add_stroke(std::vector<Segment>& segments, const std::vector<Point>& points, bool smooth) {
    const std::size_t count = points.size();
    if (!smooth || count < 3) {
        for (std::size_t i = 1; i < count; ++i) segments.push_back({points[i - 1], points[i]});
        return;
    }
    Point from = points[0];
    for (std::size_t i = 1; i + 1 < count; ++i) {
        const Point control = points[i], beyond = points[i + 1];
        const Point to =
            i + 2 == count ? beyond : Point{0.5 * (control.x + beyond.x), 0.5 * (control.y + beyond.y)};
        add_curve(segments, from, control, to);
        from = to;
    }
}

std::vector<Segment> segments_of(std::string_view glyph) {
    std::vector<Segment> segments;
    std::vector<Point> points;
    bool smooth = false;
    const auto finish = [&] {
        add_stroke(segments, points, smooth);
        points.clear();
    };
    for (std::size_t i = 1; i < glyph.size();) {
        if (glyph[i] == ' ' || glyph[i] == '~') {
            if (glyph[i] == ' ') finish();
            smooth = glyph[i++] == '~';
        } else {
            points.push_back({static_cast<double>(glyph[i] - '0'), static_cast<double>(glyph[i + 1] - '0')});
            i += 2;
        }
    }
    finish();
    return segments;
}

double distance(Point p, const Segment& s) {
    const double dx = s.to.x - s.from.x, dy = s.to.y - s.from.y, square = dx * dx + dy * dy;
    const double along =
        square > 0 ? std::clamp(((p.x - s.from.x) * dx + (p.y - s.from.y) * dy) / square, 0.0, 1.0) : 0;
    return std::hypot(p.x - s.from.x - along * dx, p.y - s.from.y - along * dy);
}

}  // namespace

void blend(const Canvas& canvas, int x, int y, const Ink& ink, float coverage) {
    if (x < 0 || y < 0 || x >= canvas.width || y >= canvas.height) return;
    std::uint8_t* pixel =
        &canvas.rgb[3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(canvas.width) +
                         static_cast<std::size_t>(x))];
    const float a = std::clamp(coverage, 0.0f, 1.0f) * ink.opacity;
    const std::array<std::uint8_t, 3> color{ink.red, ink.green, ink.blue};
    for (std::size_t c = 0; c < 3; ++c) {
        const float mixed = static_cast<float>(pixel[c]) * (1 - a) + static_cast<float>(color[c]) * a;
        pixel[c] = static_cast<std::uint8_t>(mixed + 0.5f);
    }
}

double text_width(std::string_view text, double size) {
    double width = 0;
    while (!text.empty()) width += advance(glyph_of(next(text)));
    return std::max(width - gap, 0.0) * size / cap_height;
}

void draw_text(const Canvas& canvas, std::string_view text, double x, double y, double size, const Ink& ink) {
    const double unit = size / cap_height, half = std::max(0.5 * thickness * unit, 0.55);
    for (; !text.empty();) {
        const std::string_view glyph = glyph_of(next(text));
        const std::vector<Segment> segments = segments_of(glyph);
        if (!segments.empty() && x < canvas.width) {
            const int left = static_cast<int>(std::floor(x - 2 * half)),
                      top = static_cast<int>(std::floor(y - 8 * unit));
            const int right = static_cast<int>(std::ceil(x + 7 * unit)),
                      bottom = static_cast<int>(std::ceil(y + 3 * unit));
            for (int row = top; row <= bottom; ++row) {
                for (int column = left; column <= right; ++column) {
                    const Point p{(column + 0.5 - x) / unit, baseline + (y - row - 0.5) / unit};
                    double nearest = 1e9;
                    for (const Segment& s : segments) nearest = std::min(nearest, distance(p, s));
                    blend(canvas, column, row, ink, static_cast<float>(half - nearest * unit + 0.5));
                }
            }
        }
        x += advance(glyph) * unit;
    }
}

}  // namespace pliant::output
