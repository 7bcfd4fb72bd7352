// What the commands that run a scene have in common: which scene, how, for how long.
#pragma once

#include <pliant/error.h>
#include <pliant/scene.h>

#include <CLI/CLI.hpp>

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pliant::app {

struct PlayOptions {
    std::string scene{};
    std::optional<int> frames{};  // else as the scene says
    int threads = 0;
    std::string solver{};
    std::vector<std::string> set{};
    bool quiet = false;
};

void add_scene_options(CLI::App& command, PlayOptions& options);
void add_play_options(CLI::App& command, PlayOptions& options);

// The scene of that file, or of that name in the gallery. Warnings go to stderr.
Result<Player> load_player(const PlayOptions& options);

struct Played {
    int frames = 0;
    double milliseconds = 0;  // of all steps
    bool interrupted = false;
};

// Steps until the frames are done or Ctrl-C is pressed, which leaves the frame it is in unfinished; several
// side by side, for as long as the first wants. after_frame (of the time its steps took, in ms) may stop it
// by an Error.
using AfterFrame = std::function<Status(double milliseconds)>;
Result<Played> play(std::span<Player> players, const PlayOptions& options, const AfterFrame& after_frame);
Result<Played> play(Player& player, const PlayOptions& options, const AfterFrame& after_frame);

// One JSON object on standard output: how it went and which files were written.
void print_summary(const Player& player, const Played& played, std::span<const std::filesystem::path> files);

// Whether something can be written there, and may be: nothing is there, or --force was said.
Status check_output_directory(const std::filesystem::path& path, bool force);
Status check_output_file(const std::filesystem::path& path, bool force);

}  // namespace pliant::app
