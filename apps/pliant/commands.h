// The commands of the program: each adds itself, and says with what code the program is to end.
#pragma once

#include <pliant/error.h>

#include <CLI/CLI.hpp>

namespace pliant::app {

enum ExitCode : int {
    success = 0,
    failed = 1,       // the simulation, or an expectation
    bad_input = 2,    // options, files, scenes
    interrupt = 130,  // by Ctrl-C; what was finished is kept
};

// Prints "pliant: error: …" to stderr, and returns the code.
ExitCode complain(const Error& error, ExitCode code = bad_input);

void add_demo(CLI::App& program, ExitCode& exit_code);
void add_run(CLI::App& program, ExitCode& exit_code);
void add_render(CLI::App& program, ExitCode& exit_code);
void add_check(CLI::App& program, ExitCode& exit_code);
void add_validate(CLI::App& program, ExitCode& exit_code);
void add_scenes(CLI::App& program, ExitCode& exit_code);
void add_schema(CLI::App& program, ExitCode& exit_code);
void add_plot(CLI::App& program, ExitCode& exit_code);
void add_info(CLI::App& program, ExitCode& exit_code);
void add_mesh_info(CLI::App& program, ExitCode& exit_code);
void add_view(CLI::App& program, ExitCode& exit_code);
void add_tetrahedralize(CLI::App& program, ExitCode& exit_code);

}  // namespace pliant::app
