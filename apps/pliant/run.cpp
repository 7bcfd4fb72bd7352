// pliant run: simulates a scene, writes meshes and statistics, says how it went.
#include <pliant/output/sequence.h>
#include <pliant/output/statistics.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

#include "base/format.h"
#include "pliant/commands.h"
#include "pliant/contact_table.h"
#include "pliant/play.h"
#include "pliant/terminal.h"

namespace pliant::app {
namespace {

struct RunOptions {
    PlayOptions play{};
    std::filesystem::path out{}, stats{}, contacts{};
    std::string format = "obj";
    bool force = false, json = false;
};

// What is written while the scene runs.
struct Outputs {
    std::optional<output::SequenceWriter> meshes{};
    std::vector<output::StatisticsRow> rows{};
    ContactTable contacts{};
    std::vector<std::filesystem::path> files{};
};

// `--out jelly.usda` means a file; what it would make is a directory of that name, of .obj files.
std::optional<Error> check_is_directory_name(const std::filesystem::path& out) {
    const std::string extension = out.extension().string();
    if (extension.size() < 2 || !output::sequence_format(extension.substr(1))) return {};
    return Error{"--out", fmt::format("names a directory for meshes, got {}; give --out {} --format {}",
                                      out.string(), out.stem().string(), extension.substr(1))};
}

Result<Outputs> open_outputs(const RunOptions& options, const Player& player) {
    Outputs outputs;
    for (const std::filesystem::path* file : {&options.stats, &options.contacts}) {
        if (file->empty()) continue;
        if (const Status status = check_output_file(*file, options.force); !status) return status.error();
    }
    const auto format = output::sequence_format(options.format);
    if (!format) return format.error();
    if (options.out.empty()) return outputs;
    if (auto error = check_is_directory_name(options.out)) return *error;
    if (const Status status = check_output_directory(options.out, options.force); !status)
        return status.error();
    const int frames = options.play.frames.value_or(player.scene().file.frames);
    if (*format == output::SequenceFormat::glb && frames > output::most_morph_targets) {
        return Error{"--format",
                     fmt::format("a glb file holds at most {} frames after the first, got {}; use usda "
                                 "or pc2, or fewer --frames",
                                 output::most_morph_targets, frames)};
    }
    const std::string stem = std::filesystem::path(player.scene().name).stem().string();
    const double rate = 1.0 / player.simulation().settings().time_step;
    auto writer = output::SequenceWriter::create(options.out, stem, *format, {.frames_per_second = rate});
    if (!writer) return writer.error();
    outputs.meshes = std::move(*writer);
    if (const Status status = outputs.meshes->frame(player.view()); !status) return status.error();
    return outputs;
}

Status close_outputs(const RunOptions& options, Outputs& outputs) {
    if (outputs.meshes) {
        auto files = outputs.meshes->finish();
        if (!files) return files.error();
        outputs.files = std::move(*files);
    }
    if (!options.stats.empty()) {
        outputs.files.push_back(options.stats);
        if (const Status status = output::write_statistics(options.stats, outputs.rows); !status)
            return status;
    }
    if (options.contacts.empty()) return {};
    outputs.files.push_back(options.contacts);
    return outputs.contacts.write(options.contacts);
}

void print_words(const Player& player, const Played& played, const Outputs& outputs) {
    const Diagnostics now = player.diagnostics();
    const double mean = played.frames > 0 ? played.milliseconds / played.frames : 0;
    fmt::print("{} frame{} of {} particles and {} constraints, {:.3f} ms each on {} thread{} ({})\n",
               played.frames, played.frames == 1 ? "" : "s", now.particles, now.constraints, mean,
               player.simulation().threads(), player.simulation().threads() == 1 ? "" : "s",
               player.simulation().target());
    fmt::print("energy {:.4g} J", now.total_energy);
    if (now.rest_volume > 0) {
        fmt::print(", volume {:.2f} %, {} inverted", 100 * now.volume / now.rest_volume,
                   now.inverted_tetrahedra);
    }
    fmt::print(", largest constraint error {:.2f} %, state {:016x}\n", 100 * now.worst_constraint_error,
               player.simulation().state_hash());
    if (outputs.files.size() == 1) fmt::print("wrote {}\n", outputs.files[0].string());
    if (outputs.files.size() > 1) {
        fmt::print("wrote {} files, from {} to {}\n", outputs.files.size(), outputs.files.front().string(),
                   outputs.files.back().string());
    }
}

ExitCode run(const RunOptions& options) {
    auto player = load_player(options.play);
    if (!player) return complain(player.error());
    if (interrupted()) return interrupt;
    auto outputs = open_outputs(options, *player);
    if (!outputs) return complain(outputs.error());

    const auto after_frame = [&](double milliseconds) -> Status {
        const View view = player->view();
        if (!options.stats.empty()) {
            outputs->rows.push_back(
                output::statistics_row(view.frame, view.time, player->diagnostics(), milliseconds));
        }
        if (!options.contacts.empty()) outputs->contacts.add_frame(player->simulation());
        return outputs->meshes ? outputs->meshes->frame(view) : Status();
    };
    const auto played = play(*player, options.play, after_frame);
    // What is finished is kept, whatever happened.
    const Status closed = close_outputs(options, *outputs);
    if (!played) return complain(played.error(), failed);
    if (!closed) return complain(closed.error(), failed);
    if (options.json) {
        print_summary(*player, *played, outputs->files);
    } else {
        print_words(*player, *played, *outputs);
    }
    return played->interrupted ? interrupt : success;
}

}  // namespace

void add_run(CLI::App& program, ExitCode& exit_code) {
    CLI::App* command = program.add_subcommand("run", "Simulates a scene; writes meshes and statistics");
    command->footer(
        "Ctrl-C ends at once and keeps the frames that are finished.\n"
        "Example: pliant run jelly --frames 120 --out meshes --format ply --stats jelly.csv");
    const auto options = std::make_shared<RunOptions>();
    add_play_options(*command, options->play);
    command->add_option("-o,--out", options->out, "A directory for a mesh of each frame");
    command->add_option("--format", options->format, "obj, ply, usda, vtu, pc2 or glb (default: obj)");
    command->add_option("--stats", options->stats, "A CSV file of energy, volume and errors, a row a frame");
    command->add_option("--contacts", options->contacts,
                        "A CSV file of what touched, where and how hard, a row for each contact of a frame");
    command->add_flag("--force", options->force, "Write over what is there");
    command->add_flag("--json", options->json, "One JSON object that sums it up");
    command->callback([options, &exit_code] {
        if (!options->contacts.empty()) options->play.set.push_back("solver/report_contacts=true");
        exit_code = run(*options);
    });
}

}  // namespace pliant::app
