// pliant info: what this program is, and what it uses of this machine.
#include <pliant/simulation.h>
#include <pliant/version.h>

#include <cstdio>
#include <string>
#include <thread>

#include "base/format.h"
#include "pliant/commands.h"

namespace pliant::app {
namespace {

void info(bool json) {
    const auto targets = available_targets();
    const unsigned threads = std::thread::hardware_concurrency();
    if (json) {
        fmt::print("{{\"version\": \"{}\", \"targets\": [\"{}\"], \"threads\": {}}}\n", version,
                   joined(targets, "\", \""), threads);
    } else {
        fmt::print("pliant {}\ninstruction sets: {} (the last is used; PLIANT_TARGET chooses)\nthreads: {}\n",
                   version, joined(targets, ", "), threads);
    }
}

}  // namespace

void add_info(CLI::App& program, ExitCode&) {
    CLI::App* command = program.add_subcommand("info", "Version, instruction sets and threads");
    command->footer("Example: pliant info --json");
    const auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "One JSON object");
    command->callback([json] { info(*json); });
}

}  // namespace pliant::app
