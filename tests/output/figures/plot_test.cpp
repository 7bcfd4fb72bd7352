#include <pliant/output/plot.h>

#include "output/figures/axis.h"
#include "support/files.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

using namespace pliant;
using output::Axis, output::StatisticsRow;

namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<std::string> labels(const Axis& axis) {
    std::vector<std::string> result;
    for (const output::Tick& tick : axis.ticks) result.push_back(tick.label);
    return result;
}

using Labels = std::vector<std::string>;

// Every element that opens is closed, in order: what an XML reader would ask.
bool well_formed(const std::string& svg) {
    std::vector<std::string> open;
    for (std::size_t at = svg.find('<', svg.find("?>")); at != std::string::npos;
         at = svg.find('<', at + 1)) {
        const std::size_t end = svg.find('>', at);
        if (end == std::string::npos) return false;
        const std::string tag = svg.substr(at + 1, end - at - 1);
        if (tag.find('<') != std::string::npos) return false;
        if (tag.ends_with('/')) continue;
        if (!tag.starts_with('/')) {
            open.push_back(tag.substr(0, tag.find(' ')));
        } else if (open.empty() || open.back() != tag.substr(1)) {
            return false;
        } else {
            open.pop_back();
        }
    }
    return open.empty();
}

bool sound(const std::string& svg) {
    return well_formed(svg) && svg.find("nan") == std::string::npos && svg.find("inf") == std::string::npos;
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

}  // namespace

TEST_CASE("ticks are round numbers") {
    CHECK(labels(output::make_axis({0, 5}, {.padding = 0}, 6)) == Labels{"0", "1", "2", "3", "4", "5"});
    CHECK(labels(output::make_axis({-0.3, 0.21}, {.padding = 0}, 5)) == Labels{"−0.2", "0.0", "0.2"});
    CHECK(labels(output::make_axis({98.1, 100}, {.padding = 0}, 4)) ==
          Labels{"98.5", "99.0", "99.5", "100.0"});
    CHECK(labels(output::make_axis({0, 2}, {.from_zero = true, .whole_numbers = true}, 5)) ==
          Labels{"0", "1", "2"});
    CHECK(labels(output::make_axis({3, 23}, {.from_zero = true, .whole_numbers = true}, 5)) ==
          Labels{"0", "5", "10", "15", "20"});
}

TEST_CASE("large and small numbers share a power of ten") {
    const Axis large = output::make_axis({0, 4.1e7}, {.padding = 0}, 5);
    CHECK(large.exponent == 6);
    CHECK(labels(large) == Labels{"0", "10", "20", "30", "40"});
    const Axis small = output::make_axis({0, 4.1e-5}, {.padding = 0}, 5);
    CHECK(small.exponent == -6);
    CHECK(labels(small) == Labels{"0", "10", "20", "30", "40"});
    CHECK(output::power_of_ten(-12) == "10⁻¹²");
}

TEST_CASE("an axis is logarithmic where values span decades, and only there") {
    const Axis axis = output::make_axis({0, 2e-7, 0.03}, {.logarithmic = true}, 5);
    CHECK(axis.logarithmic);
    CHECK(axis.low == doctest::Approx(1e-7));
    CHECK(axis.high == doctest::Approx(0.1));
    CHECK(labels(axis) == Labels{"10⁻⁷", "10⁻⁵", "10⁻³", "10⁻¹"});
    CHECK(axis.share(0) == 0);
    CHECK(axis.share(1e-4) == doctest::Approx(0.5));
    CHECK(!output::make_axis({0.01, 0.03}, {.logarithmic = true}, 5).logarithmic);
    CHECK(!output::make_axis({-1, 1e-5, 1}, {.logarithmic = true}, 5).logarithmic);
    CHECK(!output::make_axis({0, 0}, {.logarithmic = true}, 5).logarithmic);
}

TEST_CASE("an axis has a few ticks whatever the values") {
    const double extremes[] = {0,      -0.0,  1,         -1,       1e-320,    1e300,
                               -1e308, 1e308, no_number, infinity, -infinity, 1 + 1e-15};
    for (const double a : extremes) {
        for (const double b : extremes) {
            for (const bool wish : {false, true}) {
                CAPTURE(a);
                CAPTURE(b);
                const Axis axis = output::make_axis(
                    {a, b}, {.logarithmic = wish, .from_zero = wish, .whole_numbers = wish}, 5);
                CHECK(std::isfinite(axis.low));
                CHECK(std::isfinite(axis.high));
                CHECK(axis.low < axis.high);
                CHECK(axis.ticks.size() >= 1);
                CHECK(axis.ticks.size() <= 8);
                for (const output::Tick& tick : axis.ticks) {
                    CHECK(axis.share(tick.value) >= 0);
                    CHECK(axis.share(tick.value) <= 1);
                }
            }
        }
    }
}

TEST_CASE("a plot has six panels over one time axis") {
    std::vector<StatisticsRow> rows(100);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].time = static_cast<double>(i) / 20;
        rows[i].kinetic_energy = std::sin(rows[i].time);
    }
    const std::string svg = output::plot_svg(rows, "Fish & <chips>");
    CHECK(sound(svg));
    CHECK(svg.find("Fish &amp; &lt;chips>") != std::string::npos);
    for (const char* title :
         {"Energy", "Momentum", "Volume", "Constraint error", "Inverted elements", "Time per frame"}) {
        CHECK(count(svg, ">" + std::string(title) + "</tspan>") == 1);
    }
    CHECK(count(svg, ">time (s)<") == 2);
    CHECK(count(svg, "stroke-width=\"1.5\"") == 11);  // 3 + 3 + 1 + 2 + 1 + 1 curves
}

TEST_CASE("a plot of nothing, of one row, and of what is no number is sound") {
    CHECK(sound(output::plot_svg({})));
    CHECK(count(output::plot_svg({}), "no data") == 6);

    const std::string one = output::plot_svg({StatisticsRow{}});
    CHECK(sound(one));
    CHECK(count(one, "<circle") == 11);

    std::vector<StatisticsRow> rows(5);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].time = static_cast<double>(i);
        rows[i].volume_ratio = no_number;
        rows[i].step_time = i == 2 ? infinity : 1;
    }
    const std::string gaps = output::plot_svg(rows);
    CHECK(sound(gaps));
    CHECK(count(gaps, "no data") == 1);
    CHECK(count(gaps, "stroke-width=\"1.5\"") == 11);  // one curve less, one in two pieces

    rows[3].time = no_number;
    CHECK(sound(output::plot_svg(rows)));
}

TEST_CASE("a plot of a long run stays small and keeps its peaks") {
    std::vector<StatisticsRow> rows(200000);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].time = static_cast<double>(i) / 60;
        rows[i].step_time = 1 + static_cast<double>(i * 7919 % 1000) / 1000;
    }
    const std::string before = output::plot_svg(rows);
    CHECK(before.size() < 600000);
    rows[123456].inverted_tetrahedra = 5;
    CHECK(output::plot_svg(rows) != before);
}

TEST_CASE("plots are written as .svg, or as .png where rsvg-convert is there") {
    const test::Directory directory("plot");
    REQUIRE(output::write_plot(directory.path / "a.svg", {StatisticsRow{}}));
    CHECK(test::content(directory.path / "a.svg") == output::plot_svg({StatisticsRow{}}));
    CHECK(output::write_plot(directory.path / "a.pdf", {}).error().message ==
          "a plot must be called .svg or .png");
#ifndef __EMSCRIPTEN__
    const Status png = output::write_plot(directory.path / "a.png", {StatisticsRow{}});
    if (png) CHECK(test::content(directory.path / "a.png").substr(0, 8) == "\x89PNG\r\n\x1a\n");

    const std::string path = std::getenv("PATH");
    setenv("PATH", "/nowhere", 1);
    const Status missing = output::write_plot(directory.path / "b.png", {StatisticsRow{}});
    setenv("PATH", path.c_str(), 1);
    REQUIRE(!missing);
    CHECK(missing.error().message ==
          "needs the program rsvg-convert (Debian package librsvg2-bin); .svg needs nothing");
    CHECK(directory.files() ==
          (png ? std::vector<std::string>{"a.png", "a.svg"} : std::vector<std::string>{"a.svg"}));
#endif
}
