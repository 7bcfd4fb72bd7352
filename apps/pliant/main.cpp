// pliant: runs scenes, makes pictures and meshes. Each command is in a file of its own.
#include <pliant/version.h>

#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/format.h"
#include "base/suggest.h"
#include "pliant/commands.h"
#include "pliant/terminal.h"

namespace pliant::app {
namespace {

// A first word that is no command.
Status check_command(const CLI::App& program, int argument_count, char** arguments) {
    if (argument_count < 2 || arguments[1][0] == '-') return {};
    const std::string wanted = arguments[1];
    std::vector<std::string> names;
    for (const CLI::App* command : program.get_subcommands(nullptr)) names.push_back(command->get_name());
    for (const std::string& name : names) {
        if (name == wanted) return {};
    }
    const std::vector<std::string_view> known(names.begin(), names.end());
    return Error{"", fmt::format("there is no command \"{}\"; {}", wanted, suggestion(wanted, known))};
}

}  // namespace

ExitCode complain(const Error& error, ExitCode code) {
    fmt::print(stderr, "{} {}\n", styled("pliant: error:", Style::error), error.text());
    return code;
}

}  // namespace pliant::app

int main(int argument_count, char** arguments) {
    using namespace pliant::app;
    ExitCode exit_code = success;
    CLI::App program("Pliant simulates bodies that bend: jelly, cloth, ropes.", "pliant");
    program.require_subcommand(1);
    program.set_version_flag("--version", std::string(pliant::version));
    program.footer("pliant COMMAND --help tells more of a command.");
    add_demo(program, exit_code);
    add_view(program, exit_code);
    add_run(program, exit_code);
    add_render(program, exit_code);
    add_check(program, exit_code);
    add_validate(program, exit_code);
    add_scenes(program, exit_code);
    add_schema(program, exit_code);
    add_plot(program, exit_code);
    add_info(program, exit_code);
    add_mesh_info(program, exit_code);
    add_tetrahedralize(program, exit_code);
    if (const auto known = check_command(program, argument_count, arguments); !known) {
        return complain(known.error());
    }
    stop_gently_on_interrupt();
    try {
        program.parse(argument_count, arguments);
    } catch (const CLI::Success& wish) {  // --help, --version
        exit_code = static_cast<ExitCode>(program.exit(wish));
    } catch (const CLI::Error& error) {
        return complain({"", fmt::format("{} (see pliant --help)", error.what())});
    } catch (const std::exception& error) {  // out of memory, above all
        return complain({"", error.what()}, failed);
    }
    // What was said must have arrived, in a file or a pipe.
    std::cout.flush();
    if ((std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout) && exit_code == success) {
        return complain({"standard output", "cannot be written"}, failed);
    }
    return exit_code;
}
