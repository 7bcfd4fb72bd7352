// pliant_bench: milliseconds a frame of Pliant and others on the same scenes.
#include "measure.h"
#include "options.h"
#include "report.h"
#include "scenes/scenes.h"

#include <CLI/CLI.hpp>

#include <unistd.h>

#include <fstream>
#include <iostream>

namespace {

using namespace pliant;

constexpr int exit_failure = 1;
constexpr int exit_usage = 2;

struct Options {
    std::vector<std::string> scenes{"c100", "c300", "j20"};
    benchmarks::Plan plan{benchmarks::engine_names(), {1, 2}};
    std::string csv;
    bool json = false;
    bool build = false;
    bool options = false;
};

void add_options(CLI::App& app, Options& options) {
    app.add_option("--scenes", options.scenes, "scenes to run")->delimiter(',')->capture_default_str();
    app.add_option("--engines", options.plan.engines, "engines to run")
        ->delimiter(',')
        ->check(CLI::IsMember(benchmarks::engine_names()))
        ->capture_default_str();
    app.add_option("--threads", options.plan.threads, "numbers of threads to run Pliant with")
        ->delimiter(',')
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    app.add_option("--runs", options.plan.runs, "rounds, of which the fastest counts; publish 5 or more")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    app.add_option("--frames", options.plan.frames, "frames in a round, instead of about 50 ms")
        ->check(CLI::Range(1, 100000));
    app.add_option("--csv", options.csv, "write the results to this file as well");
    app.add_flag("--json", options.json, "print a JSON array instead of a table");
    app.add_flag("--options", options.options, "print what options of Pliant cost, and nothing else");
    app.add_flag("--build", options.build, "add how long Pliant takes to set a scene up");
}

int fail(int code, const std::string& message) {
    std::cerr << "pliant_bench: " << message << '\n';
    return code;
}

std::string known_scenes() {
    std::string list;
    for (const std::string_view name : scenes::names()) list.append(list.empty() ? "" : ", ").append(name);
    return list;
}

void show_progress(const std::string& text) {
    if (isatty(STDERR_FILENO)) std::cerr << "\r\033[K" << text << std::flush;
}

int run_options(const Options& options) {
    const auto rows = benchmarks::measure_options(options.plan.runs, show_progress);
    show_progress("");
    benchmarks::write_options(std::cout, rows);
    return 0;
}

int run(const Options& options) {
    // Find out what cannot work before minutes have been spent.
    std::vector<Description> descriptions;
    for (const std::string& name : options.scenes) {
        auto description = scenes::make(name);
        if (!description) {
            return fail(exit_usage, "--scenes: no scene is called " + name + "; there are " + known_scenes());
        }
        descriptions.push_back(std::move(*description));
    }
    if (!options.csv.empty() && !std::ofstream(options.csv, std::ios::app)) {
        return fail(exit_usage, "--csv: cannot write " + options.csv);
    }

    std::vector<benchmarks::Row> rows;
    for (std::size_t i = 0; i < descriptions.size(); ++i) {
        auto measured = benchmarks::measure(options.scenes[i], descriptions[i], options.plan, show_progress);
        rows.insert(rows.end(), measured.begin(), measured.end());
    }
    show_progress("");

    if (options.json) {
        benchmarks::write_json(std::cout, rows, options.build);
    } else {
        benchmarks::write_table(std::cout, rows, options.build);
    }
    if (!options.csv.empty()) {
        std::ofstream file(options.csv);
        benchmarks::write_csv(file, rows);
        if (!file.flush()) return fail(exit_failure, "cannot write " + options.csv);
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) try {
    CLI::App app("Milliseconds a frame of Pliant, and of others on the same scenes", "pliant_bench");
    Options options;
    add_options(app, options);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : exit_usage;
    }
    return options.options ? run_options(options) : run(options);
} catch (const std::exception& error) {
    return fail(exit_failure, error.what());
}
