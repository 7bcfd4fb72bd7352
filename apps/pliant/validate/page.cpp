#include <pliant/version.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/format.h"
#include "output/figures/figure.h"
#include "pliant/validate/report.h"

namespace pliant::app::validation {
namespace {

constexpr std::string_view head = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pliant beside closed forms</title>
<style>
body { font: 15px/1.45 Helvetica, Arial, sans-serif; color: #222; max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 0.8rem 0; }
th, td { padding: 0.15rem 0.7rem; text-align: right; white-space: nowrap; border-bottom: 1px solid #e4e4e4; }
th:first-child, td:first-child { text-align: left; }
.pass { color: #00704f; }
.miss { color: #fff; background: #b84600; font-weight: bold; }
h2 { margin: 2.2rem 0 0.2rem; }
svg { max-width: 100%; height: auto; }
</style>
</head>
<body>
)";

std::string_view colour_of(Energy energy) {
    switch (energy) {
        case Energy::arap:
            return output::blue;
        case Energy::neo_hookean:
            return output::orange;
        case Energy::stvk:
            return output::green;
        default:
            return output::purple;
    }
}

std::string_view dashes_of(int across) { return across <= 2 ? "2 3" : across <= 4 ? "7 3" : ""; }

std::string percent_or_number(const Row& row, double error) {
    return row.of->error == ErrorMeasure::absolute ? fmt::format("{:.3f}", error)
                                                   : fmt::format("{:.2f} %", 100 * error);
}

std::string table(std::span<const Row> rows) {
    std::string out =
        "<table>\n<tr><th>energy</th><th>E (Pa)</th><th>ν</th><th>across</th><th>substeps</th>"
        "<th>expected</th><th>measured</th><th>error</th><th>allowed</th><th></th></tr>\n";
    for (const Row& row : rows) {
        const Setup& setup = row.setup;
        out += fmt::format(
            "<tr><td>{}</td><td>{}</td><td>{:g}</td><td>{} {}</td><td>{}</td><td>{:.5g}</td><td>{:.5g}</td>"
            "<td>{}</td><td>{}</td><td class=\"{}\">{}{}</td></tr>\n",
            name_of(setup.energy), modulus_text(setup.young_modulus), setup.poisson_ratio, setup.across,
            name_of(setup.cells), setup.substeps, row.result.expected, row.result.measured,
            percent_or_number(row, row.error), percent_or_number(row, setup.allowed),
            row.passes() ? "pass" : "miss", row.passes() ? "pass" : "MISS",
            row.result.inverted == 0 ? "" : fmt::format(", {} inverted", row.result.inverted));
    }
    return out + "</table>\n";
}

std::vector<output::SvgPoint> points_of(const std::vector<Point>& curve) {
    std::vector<output::SvgPoint> points;
    for (const Point& p : curve) points.push_back({p.x, p.y});
    return points;
}

// Rows of one material have one theory.
bool same_material(const Setup& a, const Setup& b) {
    return a.young_modulus == b.young_modulus && a.poisson_ratio == b.poisson_ratio &&
           a.substeps == b.substeps && a.cells == b.cells;
}

std::string figure(std::span<const Row> rows) {
    const Case& of = *rows[0].of;
    const Setup& setup = rows[0].setup;
    output::Figure figure;
    figure.title = fmt::format("E {} Pa, ν {:g}, {} substeps, {}", modulus_text(setup.young_modulus),
                               setup.poisson_ratio, setup.substeps, name_of(setup.cells));
    figure.across = {of.across.name, of.across.unit};
    figure.up = {of.up.name, of.up.unit};
    for (const Row& row : rows) {
        const bool burst = row.result.inverted > 0;  // its curve would dwarf the others
        figure.curves.push_back({fmt::format("{}, {} across{}", name_of(row.setup.energy), row.setup.across,
                                             burst ? " (burst: not shown)" : ""),
                                 colour_of(row.setup.energy), dashes_of(row.setup.across),
                                 burst ? std::vector<output::SvgPoint>() : points_of(row.result.curve)});
    }
    const auto finest = std::max_element(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return a.result.theory.size() < b.result.theory.size();
    });
    figure.curves.push_back({"theory", output::black, "", points_of(finest->result.theory)});
    return output::figure_svg(figure);
}

std::string section(std::span<const Row> rows) {
    const Case& of = *rows[0].of;
    std::string out = fmt::format("<h2>{}</h2>\n<p>{} Expected: {}, {}{}{}.</p>\n", of.name, of.about,
                                  of.quantity, of.formula, of.unit.empty() ? "" : ", in ", of.unit);
    out += table(rows);
    for (std::size_t first = 0, last = 0; first < rows.size(); first = last) {
        while (last < rows.size() && same_material(rows[first].setup, rows[last].setup)) ++last;
        out += figure(rows.subspan(first, last - first));
    }
    return out;
}

}  // namespace

std::string page(std::span<const Row> rows) {
    std::string out(head);
    out += fmt::format("<h1>Pliant beside closed forms</h1>\n<p>Pliant {}. {}.</p>\n", version,
                       table_summary(rows));
    for (std::size_t first = 0, last = 0; first < rows.size(); first = last) {
        while (last < rows.size() && rows[last].of == rows[first].of) ++last;
        out += section(rows.subspan(first, last - first));
    }
    return out + "</body>\n</html>\n";
}

}  // namespace pliant::app::validation
