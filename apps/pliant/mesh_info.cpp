// pliant mesh-info: what a mesh is like.
#include <pliant/mesh_io.h>
#include <pliant/mesh_report.h>

#include <memory>
#include <string>

#include "base/format.h"
#include "pliant/commands.h"
#include "pliant/mesh_text.h"

namespace pliant::app {
namespace {

struct MeshInfoOptions {
    std::string file{};
    bool json = false;
};

template <class Mesh, class Describe>
ExitCode tell(const Result<MeshFile<Mesh>>& file, bool json, Describe&& describe) {
    if (!file) return complain(file.error());
    warn(file->warnings);
    const auto description = describe(file->mesh);
    fmt::print("{}", json ? to_json(description) : to_text(description));
    return success;
}

ExitCode mesh_info(const MeshInfoOptions& options) {
    if (mesh_kind(options.file) == MeshKind::tetrahedra) {
        return tell(read_tetrahedra(options.file), options.json, quality);
    }
    return tell(read_surface(options.file), options.json, report);
}

}  // namespace

void add_mesh_info(CLI::App& program, ExitCode& exit_code) {
    CLI::App* command = program.add_subcommand("mesh-info", "What a mesh is like: size, faults, quality");
    command->footer("Example: pliant mesh-info assets/bunny.obj");
    const auto options = std::make_shared<MeshInfoOptions>();
    command
        ->add_option("FILE", options->file,
                     "A surface (.obj, .ply, .stl) or tetrahedra (.msh, .node, .ele, .vtu)")
        ->required();
    command->add_flag("--json", options->json, "One JSON object");
    command->callback([options, &exit_code] { exit_code = mesh_info(*options); });
}

}  // namespace pliant::app
