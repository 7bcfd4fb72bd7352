#include "output/figures/figure.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>

using namespace pliant;

namespace {

int count(const std::string& text, const std::string& part) {
    int found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

}  // namespace

TEST_CASE("a figure shows its curves, their names and the units of its axes") {
    output::Figure figure;
    figure.title = "a < b";
    figure.across = {"time", "s"};
    figure.up = {"height", "m"};
    figure.curves.push_back({"theory", output::black, "", {{0, 0}, {1, 2e-4}}});
    figure.curves.push_back({"measured", output::blue, "7 3", {{0, 0}, {1, 3e-4}}});
    const std::string svg = output::figure_svg(figure);
    CHECK(svg.starts_with("<svg "));
    CHECK(svg.ends_with("</svg>\n"));
    CHECK(svg.find(">a &lt; b<") != std::string::npos);
    CHECK(svg.find(">time (s)<") != std::string::npos);
    CHECK(svg.find(">height (10⁻⁶ m)<") != std::string::npos);
    CHECK(svg.find(">measured<") != std::string::npos);
    CHECK(count(svg, "stroke-width=\"1.5\"") == 4);  // each curve, and its sample beside its name
    CHECK(count(svg, "stroke-dasharray=\"7 3\"") == 2);
    CHECK(count(svg, "stroke=\"" + std::string(output::blue)) == 2);
}

TEST_CASE("a figure leaves gaps where there are no numbers, and may be empty") {
    const double no_number = std::numeric_limits<double>::quiet_NaN();
    output::Figure figure;
    CHECK(output::figure_svg(figure).find("nan") == std::string::npos);
    figure.curves.push_back({"", output::black, "", {{0, 0}, {1, 1}, {2, no_number}, {3, 1}, {4, 0}}});
    const std::string svg = output::figure_svg(figure);
    CHECK(svg.find("nan") == std::string::npos);
    CHECK(count(svg, "stroke-width=\"1.5\"") == 3);  // two pieces and the sample
}
