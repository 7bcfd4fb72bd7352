// Scenes as they are shown: one run, or several side by side.
#pragma once

#include <pliant/error.h>
#include <pliant/output/picture_maker.h>
#include <pliant/scene.h>

#include <string>
#include <vector>

#include "pliant/play.h"

namespace pliant::app {

struct Runs {
    Comparison comparison{};
    std::vector<Player> players{};  // row after row

    output::Panes panes() const { return {comparison.columns, comparison.rows}; }
};

void add_compare_option(CLI::App& command, std::vector<std::string>& compare);

// compare: what to vary, as in solver/iterations=1,5,20; if none, as the scene says.
Result<Runs> load_runs(const PlayOptions& options, const std::vector<std::string>& compare);

// What the scene says of pictures: its camera, its light, the colours of its bodies.
output::PictureOptions picture_options(const Scene& scene);

}  // namespace pliant::app
