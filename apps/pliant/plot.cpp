// pliant plot: figures of a run's statistics.
#include "output/plot.h"

#include <cstdio>

#include <fmt/format.h>

#include "output/statistics.h"
#include "pliant/commands.h"
#include "pliant/play.h"

namespace pliant::app {
namespace {

struct PlotOptions {
    std::filesystem::path stats{}, out{};
    bool force = false;
};

ExitCode plot(const PlotOptions& options) {
    const auto rows = output::read_statistics(options.stats);
    if (!rows) return complain(rows.error());
    std::filesystem::path out = options.out;
    if (out.empty()) out = std::filesystem::path(options.stats).replace_extension(".svg");
    if (const Status status = check_output(out, options.force); !status) return complain(status.error());
    const Status written = output::write_plot(out, *rows, options.stats.stem().string());
    if (!written) return complain(written.error());
    fmt::print("wrote {}\n", out.string());
    return success;
}

}  // namespace

void add_plot(CLI::App& program, ExitCode& exit_code) {
    CLI::App* command = program.add_subcommand("plot", "Draws the statistics that pliant run --stats wrote");
    command->footer("Example: pliant run jelly --stats jelly.csv && pliant plot jelly.csv --out jelly.png");
    const auto options = std::make_shared<PlotOptions>();
    command->add_option("STATS", options->stats, "The CSV file")->required();
    command->add_option("--out", options->out, "An .svg or .png file (default: beside it, as .svg)");
    command->add_flag("--force", options->force, "Write over what is there");
    command->callback([options, &exit_code] { exit_code = plot(*options); });
}

}  // namespace pliant::app
