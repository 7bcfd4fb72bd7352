// pliant check: is a scene file right, and does the scene do what it expects?
#include <cstdio>
#include <utility>

#include "base/format.h"
#include "base/json.h"
#include "pliant/commands.h"
#include "pliant/play.h"
#include "pliant/terminal.h"

namespace pliant::app {
namespace {

struct CheckOptions {
    PlayOptions play{};
    bool run = false, json = false;
};

void print_result(const CheckOptions& options, const Player& player, const Played* played,
                  const std::vector<std::string>& failures) {
    const Diagnostics now = player.diagnostics();
    const std::string& name = player.scene().name;
    if (options.json) {
        json::Value summary = json::make_object(), list = json::make_list();
        for (const std::string& failure : failures) list.items.push_back(json::make_string(failure));
        summary.add("scene", json::make_string(name));
        summary.add("particles", json::make_number(static_cast<long long>(now.particles)));
        summary.add("constraints", json::make_number(static_cast<long long>(now.constraints)));
        summary.add("frames", json::make_number(static_cast<long long>(played ? played->frames : 0)));
        summary.add("failures", std::move(list));
        fmt::print("{}\n", json::print_compact(summary));
        return;
    }
    for (const std::string& failure : failures) fmt::print("{}: {}\n", name, failure);
    if (!failures.empty()) return;
    fmt::print("{}: fine, {} particles and {} constraints", name, now.particles, now.constraints);
    if (played) {
        fmt::print("; {} expectations held in {} frames", player.scene().file.expect.size(), played->frames);
    }
    fmt::print("\n");
}

ExitCode check(const CheckOptions& options) {
    auto player = load_player(options.play);
    if (!player) return complain(player.error());
    if (interrupted()) return interrupt;
    if (!options.run) {
        print_result(options, *player, nullptr, {});
        return success;
    }
    ExpectationChecker checker(*player);
    const auto played = play(*player, options.play, [&](double) {
        checker.after_frame(*player);
        return Status();
    });
    if (!played) return complain(played.error(), failed);
    if (played->interrupted) return interrupt;
    const std::vector<std::string> failures = checker.verdict(*player);
    print_result(options, *player, &*played, failures);
    return failures.empty() ? success : failed;
}

}  // namespace

void add_check(CLI::App& program, ExitCode& exit_code) {
    CLI::App* command = program.add_subcommand("check", "Says whether a scene file is right");
    command->footer("Example: pliant check my_scene.json --run");
    const auto options = std::make_shared<CheckOptions>();
    add_play_options(*command, options->play);
    command->add_flag("--run", options->run, "Simulate it, and see whether what it expects holds");
    command->add_flag("--json", options->json, "One JSON object");
    command->callback([options, &exit_code] { exit_code = check(*options); });
}

}  // namespace pliant::app
