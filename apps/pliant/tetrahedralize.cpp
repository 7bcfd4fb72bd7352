// pliant tetrahedralize: from the surface of a body to tetrahedra that fill it.
#include <pliant/mesh_io.h>
#include <pliant/mesh_report.h>
#include <pliant/tetrahedralize.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/files/output_file.h"
#include "base/format.h"
#include "base/json.h"
#include "pliant/commands.h"
#include "pliant/mesh_text.h"
#include "pliant/terminal.h"

namespace pliant::app {
namespace {

struct Wish {
    std::string in{}, out{}, report{}, method = "lattice";
    float edge_length = 0;
    int resolution = 20;
    bool force = false, quiet = false;
};

// What will be written, so that nothing is lost by mistake, nor found impossible after long work.
std::optional<Error> check_outputs(const Wish& wish) {
    if (mesh_kind(wish.out) != MeshKind::tetrahedra) {
        return Error{wish.out, "the extension must be .msh, .node, .ele or .vtu"};
    }
    std::vector<std::filesystem::path> files = mesh_files(wish.out);
    if (!wish.report.empty()) files.emplace_back(wish.report);
    for (const std::filesystem::path& file : files) {
        std::error_code unknown;
        if (!wish.force && std::filesystem::exists(file, unknown)) {
            return Error{file.string(), "exists already (--force replaces it)"};
        }
        const std::filesystem::path folder = file.parent_path();
        if (!folder.empty() && !std::filesystem::is_directory(folder, unknown)) {
            return Error{file.string(), fmt::format("there is no directory {}", folder.string())};
        }
    }
    return {};
}

TetrahedralizeOptions options_of(const Wish& wish, Progress& progress) {
    TetrahedralizeOptions options;
    options.method =
        wish.method == "delaunay" ? TetrahedralizeMethod::delaunay : TetrahedralizeMethod::lattice;
    options.edge_length = wish.edge_length;
    options.resolution = wish.resolution;
    options.progress = [&progress](double share, std::string_view stage) {
        progress.update(static_cast<std::uint64_t>(100 * share), stage);
        return !interrupted();
    };
    return options;
}

std::string json(const Wish& wish, const SurfaceReport& surface, const std::vector<std::string>& repairs,
                 const std::vector<std::string>& warnings, const TetrahedralQuality& quality,
                 double seconds) {
    return fmt::format(
        "{{\n\"input\": {},\n\"output\": {},\n\"method\": {},\n\"seconds\": {},\n\"surface\": {},"
        "\"repairs\": {},\n\"warnings\": {},\n\"quality\": {}}}\n",
        json::quoted(wish.in), json::quoted(wish.out), json::quoted(wish.method), seconds,
        pliant::to_json(surface), json_list(repairs), json_list(warnings), to_json(quality));
}

ExitCode tetrahedralize(const Wish& wish) {
    if (const auto error = check_outputs(wish)) return complain(*error);
    const auto start = std::chrono::steady_clock::now();

    // Read and mend the surface.
    const Result<MeshFile<TriangleMesh>> file = read_surface(wish.in);
    if (!file) return complain(file.error());
    const Repaired repaired = repair(file->mesh);
    std::vector<std::string> warnings = file->warnings;
    const auto add = [&](const std::vector<std::string>& texts) {
        for (const std::string& text : texts) warnings.push_back(fmt::format("{}: {}", wish.in, text));
    };
    add(repaired.problems);
    const SurfaceReport surface = report(repaired.mesh);

    // Fill it.
    Result<Tetrahedralized> filled = [&] {
        Progress progress("tetrahedralizing", 100, wish.quiet);
        return pliant::tetrahedralize(repaired.mesh, options_of(wish, progress));
    }();
    if (interrupted()) return complain({wish.out, "stopped, nothing is written"}, failed);
    if (!filled) return complain({wish.in, filled.error().text()});
    add(filled->warnings);
    warn(warnings);
    const Result<TetrahedralQuality> measured = pliant::quality(filled->mesh);
    if (!measured) return complain(measured.error(), failed);
    const TetrahedralQuality& quality = *measured;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    // Write and tell.
    if (const Status status = write_tetrahedra(wish.out, filled->mesh); !status) {
        return complain(status.error(), failed);
    }
    if (!wish.report.empty()) {
        const Status status =
            write_file(wish.report, json(wish, surface, repaired.changes, warnings, quality, seconds));
        if (!status) return complain(status.error(), failed);
    }
    if (wish.quiet) return success;
    for (const std::string& change : repaired.changes) fmt::print("repaired: {}\n", change);
    fmt::print("{}the surface encloses {:.4g} m³\n{:.2f} s, written to {}\n", to_text(quality),
               surface.volume, seconds, wish.out);
    return success;
}

}  // namespace

void add_tetrahedralize(CLI::App& program, ExitCode& exit_code) {
    CLI::App* command = program.add_subcommand("tetrahedralize", "Fills a surface with tetrahedra");
    command->footer("Example: pliant tetrahedralize assets/bunny.obj -o bunny.msh --resolution 30");
    const auto wish = std::make_shared<Wish>();
    command->add_option("IN", wish->in, "The surface: .obj, .ply or .stl")->required();
    command->add_option("-o,--output", wish->out, "The tetrahedra: .msh, .node, .ele or .vtu")->required();
    command->add_option("--method", wish->method, "lattice: takes any surface; delaunay: keeps its vertices")
        ->check(CLI::IsMember({"delaunay", "lattice"}))
        ->capture_default_str();
    CLI::Option* edge_length =
        command->add_option("--edge-length", wish->edge_length, "Of the tetrahedra, in metres")
            ->check(CLI::PositiveNumber);
    command->add_option("--resolution", wish->resolution, "Edges along the longest side of the surface")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str()
        ->excludes(edge_length);
    command->add_option("--report", wish->report, "Write what was found and done as JSON to this file");
    command->add_flag("--force", wish->force, "Replace files that exist");
    command->add_flag("--quiet", wish->quiet, "Print nothing but warnings and errors");
    command->callback([wish, &exit_code] { exit_code = tetrahedralize(*wish); });
}

}  // namespace pliant::app
