// pliant schema: what a scene file may say, for editors.
#include <pliant/scene.h>

#include <cstdio>

#include "base/format.h"
#include "pliant/commands.h"

namespace pliant::app {

void add_schema(CLI::App& program, ExitCode&) {
    CLI::App* command = program.add_subcommand("schema", "Prints the JSON Schema of scene files");
    command->footer("Example: pliant schema > scene.schema.json");
    command->callback([] { fmt::print("{}", scene_schema()); });
}

}  // namespace pliant::app
