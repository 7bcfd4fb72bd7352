#include "pliant/play.h"

#include <chrono>
#include <cstdio>

#include <fmt/format.h>

#include "base/suggest.h"
#include "pliant/terminal.h"
#include "scenes/scenes.h"

namespace pliant::app {
namespace {

Result<std::filesystem::path> find_scene(const std::string& name) {
    std::error_code ignored;
    if (std::filesystem::exists(name, ignored)) return std::filesystem::path(name);
    if (const auto found = scenes::find(name)) return *found;
    const std::vector<std::string> names = scenes::names();
    const std::vector<std::string_view> known(names.begin(), names.end());
    return Error{name, fmt::format("there is no such file, and no such scene (pliant scenes lists them); {}",
                                   suggestion(name, known))};
}

}  // namespace

void add_scene_options(CLI::App& command, PlayOptions& options) {
    command.add_option("SCENE", options.scene, "A scene file, or a name that pliant scenes lists")
        ->required();
    command.add_option("--set", options.set, "A value of the scene, as solver/substeps=20; may be repeated")
        ->type_name("PATH=VALUE")
        ->expected(1)
        ->take_all();
    command.add_option("--solver", options.solver, "xpbd or pbd, whatever the scene says");
    command.add_option("--threads", options.threads, "How many (default: one for each core)");
    command.add_flag("--quiet", options.quiet, "No progress and no warnings");
}

void add_play_options(CLI::App& command, PlayOptions& options) {
    add_scene_options(command, options);
    command.add_option("--frames", options.frames, "How many (default: what the scene says)");
}

Result<Scene> load(const PlayOptions& options) {
    if (options.frames && *options.frames <= 0) {
        return Error{"--frames", fmt::format("must be at least 1, got {}", *options.frames)};
    }
    std::vector<std::string> changes = options.set;
    if (!options.solver.empty()) changes.push_back("solver/method=" + options.solver);
    const auto file = find_scene(options.scene);
    if (!file) return file.error();
    auto scene = load_scene(*file, changes);
    if (scene && !options.quiet) {
        for (const std::string& warning : scene->warnings) {
            fmt::print(stderr, "{} {}\n", styled("pliant: warning:", Style::warning), warning);
        }
    }
    return scene;
}

Result<Played> play(Player& player, const PlayOptions& options,
                    const std::function<Status(double)>& after_frame) {
    using Clock = std::chrono::steady_clock;
    const int frames = options.frames.value_or(player.scene().file.frames);
    Progress progress("frame", static_cast<std::uint64_t>(frames), options.quiet);
    Played played;
    while (played.frames < frames && !interrupted()) {
        const Clock::time_point start = Clock::now();
        if (const Status status = player.step(); !status) return status.error();
        const std::chrono::duration<double, std::milli> time = Clock::now() - start;
        played.milliseconds += time.count();
        ++played.frames;
        if (const Status status = after_frame(time.count()); !status) return status.error();
        progress.update(static_cast<std::uint64_t>(played.frames), fmt::format("{:.1f} ms", time.count()));
    }
    played.interrupted = played.frames < frames;
    return played;
}

Status check_output(const std::filesystem::path& path, bool force) {
    std::error_code ignored;
    if (force || !std::filesystem::exists(path, ignored)) return {};
    if (std::filesystem::is_directory(path, ignored) && std::filesystem::is_empty(path, ignored)) return {};
    return Error{path.string(), "is there already; --force writes over it"};
}

}  // namespace pliant::app
