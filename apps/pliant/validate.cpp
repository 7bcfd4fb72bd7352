// pliant validate: the engine beside closed forms.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "base/files/output_file.h"
#include "base/format.h"
#include "base/json.h"
#include "base/suggest.h"
#include "pliant/commands.h"
#include "pliant/play.h"
#include "pliant/terminal.h"
#include "pliant/validate/case.h"
#include "pliant/validate/report.h"

namespace pliant::app {
namespace {

using validation::Case, validation::Row, validation::Setup;

struct ValidateOptions {
    std::vector<std::string> only{}, energies{};
    std::optional<int> substeps{};
    int threads = 0;
    std::filesystem::path html{};
    bool quick = false, json = false, force = false, quiet = false;
};

bool contains(const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

Status check_names(std::string_view option, const std::vector<std::string>& wished,
                   const std::vector<std::string_view>& known) {
    for (const std::string& name : wished) {
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        return Error{std::string(option),
                     fmt::format("there is no \"{}\"; {}", name, suggestion(name, known))};
    }
    return {};
}

Status check_options(const ValidateOptions& options, const std::vector<Case>& cases) {
    std::vector<std::string_view> names, energies;
    for (const Case& one : cases) {
        names.push_back(one.name);
        for (const Setup& row : one.rows) {
            const std::string_view energy = validation::name_of(row.energy);
            if (std::find(energies.begin(), energies.end(), energy) == energies.end())
                energies.push_back(energy);
        }
    }
    if (const Status status = check_names("--only", options.only, names); !status) return status;
    if (const Status status = check_names("--energy", options.energies, energies); !status) return status;
    if (options.substeps && *options.substeps < 1) {
        return Error{"--substeps", fmt::format("must be at least 1, got {}", *options.substeps)};
    }
    return options.html.empty() ? Status() : check_output_file(options.html, options.force);
}

// Rows that are wished, still without results. Those with substeps of their own promise more than the others;
// under --substeps they would be the same rows again.
std::vector<Row> wished_rows(const ValidateOptions& options, const std::vector<Case>& cases) {
    std::vector<Row> rows;
    for (const Case& one : cases) {
        if (!options.only.empty() && !contains(options.only, one.name)) continue;
        for (Setup setup : one.rows) {
            if (!options.energies.empty() && !contains(options.energies, validation::name_of(setup.energy)))
                continue;
            if (options.quick && !validation::is_quick(one, setup)) continue;
            if (options.substeps) {
                if (setup.substeps != Settings().substeps) continue;
                setup.substeps = *options.substeps;
            }
            rows.push_back({&one, setup});
        }
    }
    return rows;
}

// Measures row after row, and prints each as text when it is there. Drops what an interrupt left undone.
Status measure(std::vector<Row>& rows, const ValidateOptions& options) {
    Execution execution;
    execution.threads = options.threads;
    execution.interrupt = &interrupt_flag();
    Progress progress("row", rows.size(), options.quiet);
    const Case* last = nullptr;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        Row& row = rows[i];
        auto result = row.of->measure(row.setup, execution);
        if (interrupted()) {
            rows.resize(i);
            break;
        }
        if (!result) return Error{row.id(), result.error().text()};
        row.result = std::move(*result);
        row.error = validation::error_of(row.of->error, row.result);
        if (!options.json) {
            if (row.of != last) fmt::print("{}{}", i == 0 ? "" : "\n", validation::table_heading(*row.of));
            fmt::print("{}", validation::table_line(row));
            std::fflush(stdout);
        }
        last = row.of;
        progress.update(i + 1, row.of->name);
    }
    return {};
}

void print_json(const std::vector<Row>& rows, const std::filesystem::path& html) {
    json::Value summary = json::make_object(), files = json::make_list();
    const auto passed = std::count_if(rows.begin(), rows.end(), [](const Row& row) { return row.passes(); });
    summary.add("rows", validation::to_json(rows));
    summary.add("passed", json::make_number(static_cast<long long>(passed)));
    summary.add("missed",
                json::make_number(static_cast<long long>(rows.size()) - static_cast<long long>(passed)));
    summary.add("interrupted", json::make_bool(interrupted()));
    if (!html.empty()) files.items.push_back(json::make_string(html.string()));
    summary.add("files", std::move(files));
    fmt::print("{}\n", json::print_compact(summary));
}

ExitCode validate(const ValidateOptions& options) {
    const std::vector<Case> cases = validation::cases();
    if (const Status status = check_options(options, cases); !status) return complain(status.error());
    std::vector<Row> rows = wished_rows(options, cases);
    if (rows.empty()) return complain({"", "no row has all that is asked for; leave an option away"});
    if (const Status status = measure(rows, options); !status) return complain(status.error(), failed);
    if (!options.html.empty()) {
        if (const Status status = write_file(options.html, validation::page(rows)); !status)
            return complain(status.error(), failed);
    }
    if (options.json) {
        print_json(rows, options.html);
    } else {
        fmt::print("\n{}\n", validation::table_summary(rows));
        if (!options.html.empty()) fmt::print("wrote {}\n", options.html.string());
    }
    if (interrupted()) return interrupt;
    const bool all = std::all_of(rows.begin(), rows.end(), [](const Row& row) { return row.passes(); });
    return all ? success : failed;
}

}  // namespace

void add_validate(CLI::App& program, ExitCode& exit_code) {
    CLI::App* command = program.add_subcommand(
        "validate", "Measures bars, blocks and cubes, and puts them beside closed forms");
    command->footer(
        "Ends with code 1 if a row misses what it allows. Ctrl-C keeps the rows that are finished.\n"
        "Example: pliant validate --only cantilever --energy arap --html cantilever.html");
    const auto options = std::make_shared<ValidateOptions>();
    command->add_option("--only", options->only, "A case, as hanging_bar; may be repeated")
        ->type_name("NAME")
        ->allow_extra_args(false);
    command->add_option("--energy", options->energies, "arap, neo_hookean, stvk or springs; may be repeated")
        ->type_name("NAME")
        ->allow_extra_args(false);
    command->add_option("--substeps", options->substeps, "Of every row (default: 10, in some rows 40)");
    command->add_flag("--quick", options->quick, "Only bodies of at most 10,000 tetrahedra, at 10 substeps");
    command->add_option("--html", options->html, "A page of the table, with figures")->type_name("FILE");
    command->add_flag("--force", options->force, "Write over what is there");
    command->add_flag("--json", options->json, "One JSON object");
    command->add_option("--threads", options->threads, "How many (default: one for each core)");
    command->add_flag("--quiet", options->quiet, "No progress");
    command->callback([options, &exit_code] { exit_code = validate(*options); });
}

}  // namespace pliant::app
