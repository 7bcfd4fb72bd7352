#include "pliant/runs.h"

#include <utility>

#include "base/format.h"

namespace pliant::app {

void add_compare_option(CLI::App& command, std::vector<std::string>& compare) {
    command
        .add_option("--compare", compare,
                    "Runs side by side, as solver/iterations=1,5,20; two lists give a grid")
        ->type_name("PATH=VALUE,...")
        ->allow_extra_args(false);
}

Result<Runs> load_runs(const PlayOptions& options, const std::vector<std::string>& lists) {
    auto scene = load_player(options);
    if (!scene) return scene.error();
    auto wished = compare(lists.empty() ? scene->scene().file.compare : lists);
    if (!wished) return Error{"--compare", wished.error().text()};
    Runs runs;
    runs.comparison = std::move(*wished);
    if (runs.comparison.runs.size() == 1 && runs.comparison.runs[0].changes.empty()) {
        runs.players.push_back(std::move(*scene));
        return runs;
    }
    const float time_step = scene->simulation().settings().time_step;
    for (const Comparison::Run& run : runs.comparison.runs) {
        PlayOptions play = options;
        play.set.insert(play.set.end(), run.changes.begin(), run.changes.end());
        play.quiet = true;  // its warnings are said
        auto player = load_player(play);
        if (!player) return player.error();
        if (const float step = player->simulation().settings().time_step; step != time_step) {
            return Error{"--compare", fmt::format("the time_step must be as in the scene, {} s, got {} s",
                                                  time_step, step)};
        }
        runs.players.push_back(std::move(*player));
    }
    return runs;
}

output::PictureOptions picture_options(const Scene& scene) {
    const scene::File& file = scene.file;
    output::PictureOptions wished;
    if (file.camera) {
        wished.camera = {file.camera->position, file.camera->target, file.camera->field_of_view};
    }
    if (file.light) wished.light = file.light->direction;
    for (const scene::Body& body : file.bodies) {
        auto& color = wished.colors.emplace_back();
        if (body.color) color = output::Color{body.color->x, body.color->y, body.color->z};
    }
    return wished;
}

}  // namespace pliant::app
