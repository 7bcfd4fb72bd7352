// pliant: runs scenes, makes pictures and meshes. Each command is in a file of its own.
#include <pliant/version.h>

#include <cstdio>
#include <exception>
#include <string>

#include <fmt/format.h>

#include "pliant/commands.h"
#include "pliant/terminal.h"

namespace pliant::app {

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
    add_info(program, exit_code);
    add_mesh_info(program, exit_code);
    add_tetrahedralize(program, exit_code);
    stop_gently_on_interrupt();
    try {
        program.parse(argument_count, arguments);
    } catch (const CLI::Success& wish) {  // --help, --version
        return program.exit(wish);
    } catch (const CLI::Error& error) {
        return complain({"", fmt::format("{} (see pliant --help)", error.what())});
    } catch (const std::exception& error) {  // out of memory, above all
        return complain({"", error.what()}, failed);
    }
    return exit_code;
}
