// pliant mesh-info: what a mesh is like.
#include <pliant/mesh_io.h>
#include <pliant/mesh_report.h>

#include <memory>
#include <string>
#include <vector>

#include "base/format.h"
#include "pliant/commands.h"
#include "pliant/mesh_text.h"

namespace pliant::app {
namespace {

struct MeshInfoOptions {
    std::string file{};
    bool json = false;
};

template <class Description>
ExitCode tell(const std::vector<std::string>& warnings, bool json, const Description& description) {
    warn(warnings);
    fmt::print("{}", json ? to_json(description) : to_text(description));
    return success;
}

ExitCode tell_surface(const MeshInfoOptions& options) {
    const auto file = read_surface(options.file);
    if (!file) return complain(file.error());
    return tell(file->warnings, options.json, report(file->mesh));
}

ExitCode tell_tetrahedra(const MeshInfoOptions& options) {
    const auto file = read_tetrahedra(options.file);
    if (!file) return complain(file.error());
    const auto measured = quality(file->mesh);
    if (!measured) return complain({options.file, measured.error().text()});
    return tell(file->warnings, options.json, *measured);
}

ExitCode mesh_info(const MeshInfoOptions& options) {
    const bool tetrahedra = mesh_kind(options.file) == MeshKind::tetrahedra;
    return tetrahedra ? tell_tetrahedra(options) : tell_surface(options);
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
