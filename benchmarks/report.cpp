#include "report.h"

#include <nlohmann/json.hpp>

#include <fstream>

#include "base/format.h"

namespace pliant::benchmarks {
namespace {

std::string cpu_model() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("model name")) continue;
        const auto start = line.find_first_not_of(" \t", line.find(':') + 1);
        if (start != std::string::npos) return line.substr(start);
    }
    return "unknown";
}

std::string quote_for_csv(const std::string& text) {
    if (text.find_first_of(",\"") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

const Row* find(const std::vector<Row>& rows, const std::string& scene, const std::string& engine) {
    for (const Row& row : rows) {
        if (row.scene == scene && row.engine == engine) return &row;
    }
    return nullptr;
}

// a/b, or nothing without either.
std::string ratio(const Row* a, const Row* b) {
    return a && b ? fmt::format("{:.2f}", a->ms_per_frame / b->ms_per_frame) : "";
}

}  // namespace

void write_json(std::ostream& out, const std::vector<Row>& rows, bool with_build) {
    auto list = nlohmann::ordered_json::array();
    for (const Row& row : rows) {
        nlohmann::ordered_json entry{{"scene", row.scene},
                                     {"engine", row.engine},
                                     {"threads", row.threads},
                                     {"ms_per_frame", row.ms_per_frame},
                                     {"ns_per_constraint", row.ns_per_constraint},
                                     {"residual", row.residual}};
        if (with_build && row.engine == "pliant") {
            entry["build_seconds"] = row.build_seconds;
            entry["bytes_per_constraint"] = nullptr;
            if (row.bytes_per_constraint) entry["bytes_per_constraint"] = *row.bytes_per_constraint;
        }
        list.push_back(std::move(entry));
    }
    out << list.dump(2) << '\n';
}

void write_table(std::ostream& out, const std::vector<Row>& rows, bool with_build) {
    constexpr auto line = "{:8}{:9}{:>8}{:>11}{:>15}{:>11}{:>16}{:>14}";
    constexpr auto build = "{:>10}{:>18}";
    out << fmt::format(line, "scene", "engine", "threads", "ms/frame", "ns/constraint", "residual",
                       "literal/pliant", "pliant/floor");
    if (with_build) out << fmt::format(build, "build s", "bytes/constraint");
    out << '\n';
    for (const Row& row : rows) {
        const Row* pliant = row.engine == "pliant" ? &row : nullptr;
        out << fmt::format(line, row.scene, row.engine, row.threads, fmt::format("{:.3f}", row.ms_per_frame),
                           fmt::format("{:.2f}", row.ns_per_constraint), fmt::format("{:.2e}", row.residual),
                           ratio(find(rows, row.scene, "literal"), pliant),
                           ratio(pliant, find(rows, row.scene, "floor")));
        if (with_build && pliant) {
            const auto& bytes = row.bytes_per_constraint;
            out << fmt::format(build, fmt::format("{:.2f}", row.build_seconds),
                               bytes ? fmt::format("{:.1f}", *bytes) : "unknown");
        }
        out << '\n';
    }
}

void write_csv(std::ostream& out, const std::vector<Row>& rows) {
    const std::string cpu = quote_for_csv(cpu_model());
    out << "cpu,scene,engine,threads,ms_per_frame,ns_per_constraint,residual\n";
    for (const Row& row : rows) {
        out << fmt::format("{},{},{},{},{:.4g},{:.4g},{:.4g}\n", cpu, row.scene, row.engine, row.threads,
                           row.ms_per_frame, row.ns_per_constraint, row.residual);
    }
}

}  // namespace pliant::benchmarks
