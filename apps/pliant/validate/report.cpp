#include "pliant/validate/report.h"

#include <algorithm>
#include <cmath>

#include "base/format.h"

namespace pliant::app::validation {

std::string table_heading(const Case& of) {
    const std::string unit = of.unit.empty() ? "" : fmt::format(" ({})", of.unit);
    return fmt::format(
        "{}: {}{}, {}\n"
        "    energy        E (Pa)  Poisson  across  substeps    expected    measured   error  allowed\n",
        of.name, of.quantity, unit, of.formula);
}

namespace {

// Errors without a unit are shares of the expected value.
std::string error_text(const Case& of, double error) {
    if (of.error == ErrorMeasure::absolute) return fmt::format("{:.3f}", error);
    const double percent = 100 * error;
    if (!(percent < 1e4)) return std::isfinite(percent) ? fmt::format("{:.0e} %", percent) : "—";
    return fmt::format("{:.{}f} %", percent, percent < 99.95 ? 1 : 0);
}

}  // namespace

std::string table_line(const Row& row) {
    const Setup& setup = row.setup;
    std::string note = setup.cells == Cells::cubes ? "" : fmt::format(", {}", name_of(setup.cells));
    if (row.result.inverted > 0) note += fmt::format(", {} inverted", row.result.inverted);
    return fmt::format("    {:<12} {:>7} {:>8g} {:>7} {:>9} {:>11.5g} {:>11.5g} {:>7} {:>8}  {}{}\n",
                       name_of(setup.energy), modulus_text(setup.young_modulus), setup.poisson_ratio,
                       setup.across, setup.substeps, row.result.expected, row.result.measured,
                       error_text(*row.of, row.error), error_text(*row.of, setup.allowed),
                       row.passes() ? "pass" : "MISS", note);
}

std::string table_summary(std::span<const Row> rows) {
    const auto passed = std::count_if(rows.begin(), rows.end(), [](const Row& row) { return row.passes(); });
    return fmt::format("{} rows: {} pass, {} miss", rows.size(), passed,
                       static_cast<std::ptrdiff_t>(rows.size()) - passed);
}

json::Value to_json(std::span<const Row> rows) {
    json::Value list = json::make_list();
    const auto number = [](double value) {  // JSON has no infinity
        return std::isfinite(value) ? json::make_number(value) : json::Value{};
    };
    for (const Row& row : rows) {
        json::Value one = json::make_object();
        one.add("id", json::make_string(row.id()));
        one.add("case", json::make_string(row.of->name));
        one.add("quantity", json::make_string(row.of->quantity));
        one.add("unit", json::make_string(row.of->unit));
        one.add("formula", json::make_string(row.of->formula));
        one.add("energy", json::make_string(name_of(row.setup.energy)));
        one.add("young_modulus", json::make_number(row.setup.young_modulus));
        one.add("poisson_ratio", json::make_number(row.setup.poisson_ratio));
        one.add("across", json::make_number(static_cast<long long>(row.setup.across)));
        one.add("substeps", json::make_number(static_cast<long long>(row.setup.substeps)));
        one.add("cells", json::make_string(name_of(row.setup.cells)));
        one.add("expected", number(row.result.expected));
        one.add("measured", number(row.result.measured));
        one.add("error", number(row.error));
        one.add("allowed", json::make_number(row.setup.allowed));
        one.add("inverted", json::make_number(static_cast<long long>(row.result.inverted)));
        one.add("pass", json::make_bool(row.passes()));
        list.items.push_back(std::move(one));
    }
    return list;
}

}  // namespace pliant::app::validation
