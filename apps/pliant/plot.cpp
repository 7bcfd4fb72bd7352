// pliant plot: figures of how a scene went.
#include <pliant/output/plot.h>
#include <pliant/output/statistics.h>

#include <cstdio>
#include <memory>
#include <utility>

#include "base/files/extension.h"
#include "base/format.h"
#include "pliant/commands.h"
#include "pliant/play.h"
#include "pliant/terminal.h"

namespace pliant::app {
namespace {

struct PlotOptions {
    PlayOptions play{};
    std::filesystem::path out{};
    bool force = false;
};

using Rows = std::vector<output::StatisticsRow>;

ExitCode draw(const std::filesystem::path& out, const Rows& rows, const std::string& title) {
    if (const Status written = output::write_plot(out, rows, title); !written)
        return complain(written.error(), failed);
    fmt::print("wrote {}\n", out.string());
    return success;
}

ExitCode plot(const PlotOptions& options) {
    const std::filesystem::path source = options.play.scene;
    std::filesystem::path out = options.out;
    if (out.empty()) out = source.filename().replace_extension(".svg");
    if (const Status status = output::check_plot_name(out); !status) return complain(status.error());
    if (const Status status = check_output_file(out, options.force); !status) return complain(status.error());
    const std::string title = source.stem().string();
    if (extension_of(source) == ".csv") {
        const auto rows = output::read_statistics(source);
        return rows ? draw(out, *rows, title) : complain(rows.error());
    }
    auto player = load_player(options.play);
    if (!player) return complain(player.error());
    if (interrupted()) return interrupt;
    Rows rows;
    const auto played = play(*player, options.play, [&](double milliseconds) -> Status {
        const View view = player->view();
        rows.push_back(output::statistics_row(view.frame, view.time, player->diagnostics(), milliseconds));
        return {};
    });
    if (!played) return complain(played.error(), failed);
    const ExitCode drawn = draw(out, rows, title);
    return drawn == success && played->interrupted ? interrupt : drawn;
}

}  // namespace

void add_plot(CLI::App& program, ExitCode& exit_code) {
    CLI::App* command = program.add_subcommand(
        "plot", "Draws energy, momentum, volume, errors and times of a scene, or of statistics (.csv)");
    command->footer("Example: pliant plot jelly -o jelly.svg");
    const auto options = std::make_shared<PlotOptions>();
    add_play_options(*command, options->play);
    command->get_option("SCENE")->description(
        "A scene as for pliant run, or the .csv file of a run's --stats");
    command->add_option("-o,--out", options->out, "An .svg or .png file (default: NAME.svg)");
    command->add_flag("--force", options->force, "Write over what is there");
    command->callback([options, &exit_code] { exit_code = plot(*options); });
}

}  // namespace pliant::app
