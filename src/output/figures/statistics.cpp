#include <pliant/output/statistics.h>

#include "base/files/output_file.h"
#include "base/floating_point.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <locale>
#include <optional>
#include <sstream>
#include <system_error>

namespace pliant::output {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

struct Column {
    std::string_view name;
    double& (*value)(StatisticsRow& row);
};
constexpr Column columns[] = {
    {"frame", [](StatisticsRow& r) -> double& { return r.frame; }},
    {"time_s", [](StatisticsRow& r) -> double& { return r.time; }},
    {"kinetic_energy_J", [](StatisticsRow& r) -> double& { return r.kinetic_energy; }},
    {"potential_energy_J", [](StatisticsRow& r) -> double& { return r.potential_energy; }},
    {"total_energy_J", [](StatisticsRow& r) -> double& { return r.total_energy; }},
    {"momentum_x_kg_m_per_s", [](StatisticsRow& r) -> double& { return r.momentum.x; }},
    {"momentum_y_kg_m_per_s", [](StatisticsRow& r) -> double& { return r.momentum.y; }},
    {"momentum_z_kg_m_per_s", [](StatisticsRow& r) -> double& { return r.momentum.z; }},
    {"angular_momentum_x_kg_m2_per_s", [](StatisticsRow& r) -> double& { return r.angular_momentum.x; }},
    {"angular_momentum_y_kg_m2_per_s", [](StatisticsRow& r) -> double& { return r.angular_momentum.y; }},
    {"angular_momentum_z_kg_m2_per_s", [](StatisticsRow& r) -> double& { return r.angular_momentum.z; }},
    {"volume_m3", [](StatisticsRow& r) -> double& { return r.volume; }},
    {"volume_ratio", [](StatisticsRow& r) -> double& { return r.volume_ratio; }},
    {"worst_constraint_error", [](StatisticsRow& r) -> double& { return r.worst_constraint_error; }},
    {"mean_constraint_error", [](StatisticsRow& r) -> double& { return r.mean_constraint_error; }},
    {"inverted_tetrahedra", [](StatisticsRow& r) -> double& { return r.inverted_tetrahedra; }},
    {"repaired_particles", [](StatisticsRow& r) -> double& { return r.repaired_particles; }},
    {"rescues", [](StatisticsRow& r) -> double& { return r.rescues; }},
    {"step_ms", [](StatisticsRow& r) -> double& { return r.step_time; }},
};

// The C library's functions follow the locale; an empty field is a value that there is not.
std::optional<double> number(const std::string& text) {
    if (text.empty() || text == "nan" || text == "-nan") return missing;
    if (text == "inf") return std::numeric_limits<double>::infinity();
    if (text == "-inf") return -std::numeric_limits<double>::infinity();
    std::istringstream in(text);
    in.imbue(std::locale::classic());
    double value = 0;
    if (!(in >> value) || in.peek() != std::istringstream::traits_type::eof()) return std::nullopt;
    return value;
}

// Cuts the next record off; a quoted field may hold commas, doubled quotes and line breaks.
std::optional<std::vector<std::string>> next_record(std::string_view& rest, std::size_t& line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    std::size_t at = 0;
    for (; at < rest.size(); ++at) {
        const char c = rest[at];
        line += c == '\n';
        if (quoted) {
            if (c != '"') {
                fields.back() += c;
            } else if (at + 1 < rest.size() && rest[at + 1] == '"') {
                fields.back() += rest[++at];
            } else {
                quoted = false;
            }
        } else if (c == '"' && fields.back().empty()) {
            quoted = true;
        } else if (c == ',') {
            fields.emplace_back();
        } else if (c == '\n') {
            ++at;
            break;
        } else {
            fields.back() += c;
        }
    }
    rest.remove_prefix(at);
    if (fields.back().ends_with('\r')) fields.back().pop_back();
    if (quoted) return std::nullopt;
    return fields;
}

// For each field of the file its column, or none; an Error without a column for time.
Result<std::vector<const Column*>> header(const std::vector<std::string>& names, std::string_view source) {
    std::vector<const Column*> found;
    bool has_time = false;
    for (const std::string& name : names) {
        const auto column = std::find_if(std::begin(columns), std::end(columns),
                                         [&](const Column& c) { return c.name == name; });
        const bool known = column != std::end(columns);
        if (known && std::find(found.begin(), found.end(), column) != found.end()) {
            return Error{fmt::format("{}:1", source), fmt::format("column \"{}\" is there twice", name)};
        }
        has_time |= known && column->name == "time_s";
        found.push_back(known ? column : nullptr);
    }
    if (has_time) return found;
    return Error{fmt::format("{}:1", source), "is no statistics: there is no column \"time_s\""};
}

}  // namespace

StatisticsRow statistics_row(std::uint64_t frame, double time, const Diagnostics& d, double milliseconds) {
    const StandardFloatingPoint floating_point;
    StatisticsRow row;
    row.frame = static_cast<double>(frame);
    row.time = time;
    row.kinetic_energy = d.kinetic_energy;
    row.potential_energy = d.potential_energy;
    row.total_energy = d.total_energy;
    row.momentum = d.momentum;
    row.angular_momentum = d.angular_momentum;
    row.volume = d.volume;
    row.volume_ratio = d.rest_volume > 0 ? d.volume / d.rest_volume : missing;
    row.worst_constraint_error = d.worst_constraint_error;
    row.mean_constraint_error = d.mean_constraint_error;
    row.inverted_tetrahedra = static_cast<double>(d.inverted_tetrahedra);
    row.repaired_particles = static_cast<double>(d.repaired_particles);
    row.rescues = static_cast<double>(d.rescues);
    row.step_time = milliseconds;
    return row;
}

std::string to_csv(const std::vector<StatisticsRow>& rows) {
    const StandardFloatingPoint floating_point;
    std::string out;
    const auto end_field = [&](const Column& column) {
        out += &column == std::end(columns) - 1 ? "\r\n" : ",";
    };
    for (const Column& column : columns) {
        out += column.name;
        end_field(column);
    }
    for (StatisticsRow row : rows) {
        for (const Column& column : columns) {
            const double value = column.value(row);
            if (!std::isnan(value)) fmt::format_to(std::back_inserter(out), "{}", value);
            end_field(column);
        }
    }
    return out;
}

Status write_statistics(const std::filesystem::path& file, const std::vector<StatisticsRow>& rows) {
    return write_file(file, to_csv(rows));
}

Result<std::vector<StatisticsRow>> parse_statistics(std::string_view csv, std::string_view name) {
    const StandardFloatingPoint floating_point;
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // spreadsheets write one
    if (csv.starts_with(byte_order_mark)) csv.remove_prefix(byte_order_mark.size());
    std::size_t line = 1;
    const auto names = next_record(csv, line);
    if (!names) return Error{std::string(name) + ":1", "a quote is not closed"};
    const auto found = header(*names, name);
    if (!found) return found.error();

    StatisticsRow none;
    for (const Column& column : columns) column.value(none) = missing;
    std::vector<StatisticsRow> rows;
    while (!csv.empty()) {
        const std::string place = fmt::format("{}:{}", name, line);
        const auto fields = next_record(csv, line);
        if (!fields) return Error{place, "a quote is not closed"};
        if (fields->size() == 1 && fields->front().empty()) continue;
        if (fields->size() != found->size()) {
            return Error{place,
                         fmt::format("has {} fields, the header has {}", fields->size(), found->size())};
        }
        rows.push_back(none);
        for (std::size_t i = 0; i < fields->size(); ++i) {
            if ((*found)[i] == nullptr) continue;
            const auto value = number((*fields)[i]);
            if (!value) {
                return Error{place,
                             fmt::format("{} must be a number, got \"{}\"", (*found)[i]->name, (*fields)[i])};
            }
            (*found)[i]->value(rows.back()) = *value;
        }
    }
    return rows;
}

Result<std::vector<StatisticsRow>> read_statistics(const std::filesystem::path& file) {
    errno = 0;
    std::ifstream in(file, std::ios::binary);
    std::string content;
    char piece[1 << 14];
    while (in.read(piece, sizeof piece) || in.gcount() > 0) {
        content.append(piece, static_cast<std::size_t>(in.gcount()));
    }
    if (!in.is_open() || in.bad()) {
        return Error{file.string(),
                     "cannot be read: " + std::generic_category().message(errno != 0 ? errno : EIO)};
    }
    return parse_statistics(content, file.string());
}

}  // namespace pliant::output
