// pliant demo: simulates a scene, tells a newcomer how it went, and writes a web page that runs or replays
// it.
#include <pliant/output/page.h>
#include <pliant/output/picture_maker.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/files/output_file.h"
#include "base/format.h"
#include "pliant/commands.h"
#include "pliant/page_files.h"
#include "pliant/play.h"
#include "pliant/runs.h"
#include "pliant/terminal.h"
#include "scenes/scenes.h"

namespace pliant::app {
namespace {

struct DemoOptions {
    PlayOptions play{};
    std::filesystem::path out = "demo.html";
    std::vector<std::string> compare{};  // if none, as the scene says
    bool force = false, replay = false;
};

// 1234567 → 1,234,567
std::string grouped(std::uint64_t number) {
    std::string digits = std::to_string(number);
    for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
    return digits;
}

std::string page_caption(const Player& player) {
    const Diagnostics start = player.diagnostics();
    return fmt::format("{}\n{} particles, {} constraints", player.scene().file.about,
                       grouped(start.particles), grouped(start.constraints));
}

void tell(const Simulation& simulation, const Played& played) {
    const Diagnostics now = simulation.diagnostics();
    const int threads = simulation.threads();
    fmt::print("particles      {}\n", grouped(now.particles));
    fmt::print("constraints    {}\n", grouped(now.constraints));
    fmt::print("runs on        {}, {} thread{}\n", simulation.target(), threads, threads == 1 ? "" : "s");
    if (played.frames > 0) {
        const double mean = played.milliseconds / played.frames;
        fmt::print("a frame takes  {:.3f} ms, so {} frames per second are possible\n", mean,
                   grouped(static_cast<std::uint64_t>(1e3 / std::max(mean, 1e-6))));
    }
    if (now.rest_volume > 0) {
        fmt::print("volume kept    {:.2f} %\n", 100 * now.volume / now.rest_volume);
        fmt::print("inverted       {} tetrahedra\n", grouped(now.inverted_tetrahedra));
    }
    fmt::print("largest error  {:.2f} % of a constraint's rest length or volume\n",
               100 * now.worst_constraint_error);
    if (now.repaired_particles > 0) {
        fmt::print("repaired       {} particles that had left the range of numbers\n",
                   grouped(now.repaired_particles));
    }
    if (now.rescues > 0)
        fmt::print("rescued        in {} frames, bodies that stayed inside out\n", grouped(now.rescues));
}

output::PageOptions page_options(const Runs& runs) {
    const Player& player = runs.players.front();
    output::PageOptions options;
    options.caption = page_caption(player);
    options.interval = player.simulation().settings().time_step;
    options.panes = runs.panes();
    options.camera = picture_options(player.scene()).camera;
    return options;
}

std::vector<output::PictureMaker> make_makers(const Runs& runs) {
    std::vector<output::PictureMaker> makers;
    for (std::size_t i = 0; i < runs.players.size(); ++i) {
        output::PictureOptions options = picture_options(runs.players[i].scene());
        const std::string& label = runs.comparison.runs[i].label;
        if (!label.empty()) options.captions.push_back({label, output::Corner::bottom_left});
        makers.emplace_back(runs.players[i].view(), std::move(options));
    }
    return makers;
}

// The page on which the scene runs, and with it all runs that are compared.
Result<std::string> make_live_page(const DemoOptions& options, const Runs& runs) {
    scene::File scene = runs.players[0].scene().file;
    if (!options.compare.empty()) scene.compare = options.compare;
    if (scene.bodies.empty() && runs.players.size() > 1)
        return Error{"", "c<N> and j<N> have no file that could say what is compared"};
    const std::filesystem::path file = scenes::find(options.play.scene).value_or(options.play.scene);
    std::vector<std::string> changes = options.play.set;
    if (!options.play.solver.empty()) changes.push_back("solver/method=" + options.play.solver);
    return live_page(scene, file.stem().string(), file.parent_path(), changes);
}

ExitCode write_live(const DemoOptions& options, Runs& runs, const std::string& page) {
    const auto played = play(runs.players, options.play, [](double) { return Status(); });
    if (!played) return complain(played.error(), failed);
    tell(runs.players.front().simulation(), *played);
    if (const Status written = write_file(options.out, page); !written)
        return complain(written.error(), failed);
    fmt::print("\n{} runs it live: open it in a browser.\n", options.out.string());
    return played->interrupted ? interrupt : success;
}

ExitCode write_replay(const DemoOptions& options, Runs& runs) {
    output::PageWriter page(page_options(runs));
    std::vector<output::PictureMaker> makers = make_makers(runs);
    const auto record = [&](double) {
        std::vector<output::Picture> frame;
        for (std::size_t i = 0; i < makers.size(); ++i)
            frame.push_back(makers[i].make(runs.players[i].view()));
        return page.add(frame);
    };
    if (const Status start = record(0); !start) return complain(start.error(), failed);
    const auto played = play(runs.players, options.play, record);
    if (!played) return complain(played.error(), failed);
    tell(runs.players.front().simulation(), *played);
    if (const Status written = page.write(options.out); !written) return complain(written.error(), failed);
    fmt::print("\n{} frames in {}: open it in a browser.\n", page.frames(), options.out.string());
    return played->interrupted ? interrupt : success;
}

ExitCode demonstrate(const DemoOptions& options) {
    if (const Status status = check_output_file(options.out, options.force); !status)
        return complain(status.error());
    auto runs = load_runs(options.play, options.compare);
    if (!runs) return complain(runs.error());
    if (interrupted()) return interrupt;
    if (options.replay) return write_replay(options, *runs);
    const auto page = make_live_page(options, *runs);
    if (page) return write_live(options, *runs, *page);
    const ExitCode code = write_replay(options, *runs);
    if (code == success) fmt::print("It is a recording: {}.\n", page.error().message);
    return code;
}

}  // namespace

void add_demo(CLI::App& program, ExitCode& exit_code) {
    CLI::App* command = program.add_subcommand(
        "demo", "Simulates a scene, says how it went, writes a web page on which it runs live");
    command->footer(
        "The page is one file that needs no other. Ctrl-C ends at once; a recording shows what is there.\n"
        "Example: pliant demo drape --out drape.html");
    const auto options = std::make_shared<DemoOptions>();
    options->play.scene = "jelly";
    add_play_options(*command, options->play);
    command->get_option("SCENE")->required(false);
    command->add_option("-o,--out", options->out, "The page (default: demo.html)");
    add_compare_option(*command, options->compare);
    command->add_flag("--replay", options->replay,
                      "A recording in place of the engine: smaller, and the same everywhere");
    command->add_flag("--force", options->force, "Write over what is there");
    command->callback([options, &exit_code] { exit_code = demonstrate(*options); });
}

}  // namespace pliant::app
