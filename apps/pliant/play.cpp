#include "pliant/play.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <system_error>
#include <utility>

#include "base/convert.h"
#include "base/format.h"
#include "base/json.h"
#include "base/suggest.h"
#include "pliant/terminal.h"
#include "scenes/scenes.h"

namespace pliant::app {
namespace {

Result<Scene> find_scene(const std::string& name, const std::vector<std::string>& changes) {
    std::error_code code;
    const std::filesystem::file_status status = std::filesystem::status(name, code);
    const auto found = scenes::find(name);
    // A directory of meshes may well be called as the scene they are of.
    const bool in_the_way = found && std::filesystem::is_directory(status);
    if (std::filesystem::exists(status) && !in_the_way) return load_scene(name, changes);
    if (found) return load_scene(*found, changes);
    if (code && status.type() != std::filesystem::file_type::not_found) {
        return Error{name, "cannot be read: " + code.message()};
    }
    if (auto scene = scenes::load_family(name, changes)) return std::move(*scene);
    const bool of_a_family = name.size() > 1 && (name[0] == 'c' || name[0] == 'j') &&
                             name.find_first_not_of("0123456789", 1) == std::string::npos;
    if (of_a_family) return Error{name, "of c<N>, N must be in 3 … 4096, and of j<N> in 1 … 256"};
    const std::vector<std::string> names = scenes::names();
    const std::vector<std::string_view> known(names.begin(), names.end());
    return Error{name, fmt::format("there is no such file, and no such scene (pliant scenes lists them); {}",
                                   suggestion(name, known))};
}

// What the library calls a change is an option here.
Error in_words_of_options(Error error) {
    constexpr std::string_view before = "change ", after = " with its changes";
    if (error.path.starts_with(before)) error.path.replace(0, before.size(), "--set ");
    if (const std::size_t at = error.path.find(after); at != std::string::npos) {
        error.path.replace(at, after.size(), " with --set");
    }
    return error;
}

void warn(const std::string& text) {
    fmt::print(stderr, "{} {}\n", styled("pliant: warning:", Style::warning), text);
}

Result<Scene> load(const PlayOptions& options) {
    if (options.frames && *options.frames <= 0) {
        return Error{"--frames", fmt::format("must be at least 1, got {}", *options.frames)};
    }
    std::vector<std::string> changes;
    if (!options.solver.empty()) changes.push_back("solver/method=" + options.solver);
    changes.insert(changes.end(), options.set.begin(), options.set.end());
    auto scene = find_scene(options.scene, changes);
    if (!scene) return in_words_of_options(scene.error());
    if (!options.quiet) {
        for (const std::string& warning : scene->warnings) warn(warning);
    }
    return scene;
}

// A strain of this size at its foot, and a body is crushed by its own weight.
constexpr double crushing_strain = 0.4;

// A body that is much softer than its material says, or too soft for its size.
void warn_of_softness(const Simulation& simulation) {
    for (const Stiffness& body : simulation.stiffness()) {
        if (body.own_weight > crushing_strain) {
            warn(fmt::format(
                "body \"{}\" is {:.3g} m tall and of {:.2g} Pa: its own weight crushes it. Scale it down, "
                "or give it a young_modulus of {:.1g} Pa or more",
                body.body, body.height, body.asked, body.asked * body.own_weight * 10));
        }
        if (body.carried > 0.7 * body.asked) continue;
        const std::string cure = body.substeps > 0 ? fmt::format("{} substeps carry it", body.substeps)
                                                   : "no number of substeps carries it";
        warn(fmt::format("body \"{}\" asks for {:.2g} Pa and is as soft as {:.2g} Pa with {} substeps; {}",
                         body.body, body.asked, body.carried, simulation.settings().substeps, cure));
    }
}

std::string in_units(double metres) {
    return metres < 0.01 ? fmt::format("{:.2g} mm", 1000 * metres) : fmt::format("{:.2g} m", metres);
}

// Many bodies may overlap: the worst are named.
void warn_of_overlaps(const Simulation& simulation) {
    constexpr std::size_t most = 5;
    std::vector<Overlap> overlaps = simulation.overlaps();
    std::stable_sort(overlaps.begin(), overlaps.end(),
                     [](const Overlap& a, const Overlap& b) { return a.depth > b.depth; });
    const View view = simulation.view();
    for (std::size_t i = 0; i < std::min(overlaps.size(), most); ++i) {
        const Overlap& overlap = overlaps[i];
        const std::string& body = view.bodies[overlap.body].name;
        if (overlap.is_collider) {
            warn(fmt::format("body \"{}\" starts {} inside collider {}; it is pushed out", body,
                             in_units(overlap.depth), overlap.other));
        } else if (overlap.depth > 0) {
            warn(fmt::format("bodies \"{}\" and \"{}\" start {} in each other; they are eased apart", body,
                             view.bodies[overlap.other].name, in_units(overlap.depth)));
        } else if (overlap.other == overlap.body) {
            warn(fmt::format("{} pairs of triangles of body \"{}\" start through each other",
                             overlap.crossings, body));
        } else {
            warn(fmt::format("{} pairs of triangles of bodies \"{}\" and \"{}\" start through each other",
                             overlap.crossings, body, view.bodies[overlap.other].name));
        }
    }
    if (overlaps.size() > most)
        warn(fmt::format("{} more bodies start in each other", overlaps.size() - most));
}

void warn_of_missing_air(const Settings& settings) {
    if (length(to_double(settings.wind)) > 0 && settings.air_density == 0)
        warn("solver/wind moves nothing without air: solver/air_density is 0, at the ground 1.2 kg/m³");
}

// Of each line of a simulation.
std::vector<double> line_lengths(const View& view) {
    std::vector<double> lengths;
    for (const Edge& line : view.lines)
        lengths.push_back(length(to_double(view.positions[line[1]]) - to_double(view.positions[line[0]])));
    return lengths;
}

// Ropes that what holds them has pulled apart. before: lengths of lines at the start.
void warn_of_torn_ropes(const Simulation& simulation, const std::vector<double>& before) {
    constexpr double torn = 2;  // times as long
    const View view = simulation.view();
    const std::vector<double> now = line_lengths(view);
    if (now.size() != before.size()) return;
    for (const BodyView& body : view.bodies) {
        double worst = 0;
        for (std::size_t i = body.first_line; body.smooth_lines && i < body.first_line + body.line_count; ++i)
            worst = std::max(worst, now[i] / before[i]);
        if (!(worst > torn)) continue;
        warn(
            fmt::format("body \"{}\" ends with a link {:.3g} times as long as at the start: "
                        "what holds it pulls it apart, or its stretch is soft",
                        body.name, worst));
    }
}

}  // namespace

void add_scene_options(CLI::App& command, PlayOptions& options) {
    command
        .add_option("SCENE", options.scene,
                    "A scene file, or a name that pliant scenes lists; or what benchmarks time:\n"
                    "c<N>, a net of links through N × N particles, and j<N>, a box of N³ cells;\n"
                    "they do without coarse levels, and stretch")
        ->required();
    command.add_option("--set", options.set, "A value of the scene, as solver/substeps=20; may be repeated")
        ->type_name("PATH=VALUE")
        ->allow_extra_args(false);
    command.add_option("--solver", options.solver, "xpbd or pbd, whatever the scene says");
    command.add_option("--threads", options.threads, "How many (default: one for each core)");
    command.add_flag("--quiet", options.quiet, "No progress and no warnings");
}

void add_play_options(CLI::App& command, PlayOptions& options) {
    add_scene_options(command, options);
    command.add_option("--frames", options.frames, "How many (default: what the scene says)");
}

Result<Player> load_player(const PlayOptions& options) {
    auto scene = load(options);
    if (!scene) return scene.error();
    Execution execution;
    execution.threads = options.threads;
    execution.interrupt = &interrupt_flag();
    auto player = Player::create(std::move(*scene), execution);
    if (player && !options.quiet) {
        warn_of_softness(player->simulation());
        warn_of_overlaps(player->simulation());
        warn_of_missing_air(player->simulation().settings());
    }
    return player;
}

Result<Played> play(Player& player, const PlayOptions& options, const AfterFrame& after_frame) {
    return play({&player, 1}, options, after_frame);
}

Result<Played> play(std::span<Player> players, const PlayOptions& options, const AfterFrame& after_frame) {
    using Clock = std::chrono::steady_clock;
    const int frames = options.frames.value_or(players[0].scene().file.frames);
    Progress progress("frame", static_cast<std::uint64_t>(frames), options.quiet);
    Played played;
    std::vector<std::vector<double>> lengths;
    for (const Player& player : players) lengths.push_back(line_lengths(player.simulation().view()));
    while (played.frames < frames && !interrupted()) {
        const Clock::time_point start = Clock::now();
        for (Player& player : players) {
            if (const Status status = player.step(); !status) return status.error();
        }
        if (interrupted()) break;  // in the midst of a frame: it is not finished
        const std::chrono::duration<double, std::milli> time = Clock::now() - start;
        played.milliseconds += time.count();
        ++played.frames;
        if (const Status status = after_frame(time.count()); !status) return status.error();
        progress.update(static_cast<std::uint64_t>(played.frames), fmt::format("{:.1f} ms", time.count()));
    }
    played.interrupted = played.frames < frames;
    for (std::size_t i = 0; i < players.size() && !options.quiet; ++i)
        warn_of_torn_ropes(players[i].simulation(), lengths[i]);
    return played;
}

void print_summary(const Player& player, const Played& played,
                   std::span<const std::filesystem::path> written) {
    const Diagnostics now = player.diagnostics();
    const auto count = [](std::uint64_t n) { return json::make_number(static_cast<long long>(n)); };
    json::Value summary = json::make_object(), files = json::make_list();
    summary.add("scene", json::make_string(player.scene().name));
    summary.add("frames", json::make_number(static_cast<long long>(played.frames)));
    summary.add("interrupted", json::make_bool(played.interrupted));
    summary.add("particles", count(now.particles));
    summary.add("constraints", count(now.constraints));
    summary.add("ms_per_frame",
                json::make_number(played.frames > 0 ? played.milliseconds / played.frames : 0));
    summary.add("energy", json::make_number(now.total_energy));
    summary.add("volume_ratio",
                now.rest_volume > 0 ? json::make_number(now.volume / now.rest_volume) : json::Value{});
    summary.add("inverted", count(now.inverted_tetrahedra));
    summary.add("worst_constraint_error", json::make_number(now.worst_constraint_error));
    summary.add("repaired_particles", count(now.repaired_particles));
    summary.add("rescues", count(now.rescues));
    summary.add("state_hash", json::make_string(fmt::format("{:016x}", player.simulation().state_hash())));
    for (const auto& file : written) files.items.push_back(json::make_string(file.string()));
    summary.add("files", std::move(files));
    fmt::print("{}\n", json::print_compact(summary));
}

Status check_output_directory(const std::filesystem::path& path, bool force) {
    std::error_code ignored;
    if (force || !std::filesystem::exists(path, ignored)) return {};
    if (std::filesystem::is_directory(path, ignored) && std::filesystem::is_empty(path, ignored)) return {};
    return Error{path.string(), "is there already; --force writes over it"};
}

Status check_output_file(const std::filesystem::path& path, bool force) {
    std::error_code ignored;
    const std::filesystem::path directory = path.has_parent_path() ? path.parent_path() : ".";
    if (!std::filesystem::is_directory(directory, ignored)) {
        return Error{path.string(), "there is no directory " + directory.string()};
    }
    if (std::filesystem::is_directory(path, ignored) || !path.has_filename()) {
        return Error{path.string(), "is a directory; the name of a file is wanted"};
    }
    if (access(directory.c_str(), W_OK) != 0) {
        return Error{path.string(),
                     fmt::format("cannot be written: {}", std::generic_category().message(errno))};
    }
    if (force || !std::filesystem::exists(path, ignored)) return {};
    return Error{path.string(), "is there already; --force writes over it"};
}

}  // namespace pliant::app
