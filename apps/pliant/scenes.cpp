// pliant scenes: the gallery.
#include "scenes/scenes.h"

#include <pliant/scene.h>

#include <algorithm>
#include <cstdio>

#include "base/format.h"
#include "base/json.h"
#include "pliant/commands.h"

namespace pliant::app {
namespace {

ExitCode list(bool as_json) {
    const std::vector<std::string> names = scenes::names();
    if (names.empty()) return complain({scenes::directory().string(), "there are no scenes"}, failed);
    std::size_t width = 0;
    for (const std::string& name : names) width = std::max(width, name.size());
    json::Value all = json::make_list();
    for (const std::string& name : names) {
        const auto scene = load_scene_file(*scenes::find(name));
        if (!scene) return complain(scene.error());
        if (!as_json) fmt::print("{:{}}  {}\n", name, width, scene->about);
        json::Value entry = json::make_object();
        entry.add("name", json::make_string(name));
        entry.add("about", json::make_string(scene->about));
        entry.add("file", json::make_string(scenes::find(name)->string()));
        all.items.push_back(std::move(entry));
    }
    if (as_json) fmt::print("{}\n", json::print_compact(all));
    return success;
}

}  // namespace

void add_scenes(CLI::App& program, ExitCode& exit_code) {
    CLI::App* command = program.add_subcommand("scenes", "Lists the scenes that come with it");
    command->footer("Each name works wherever a scene file does. Example: pliant run drape");
    const auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "A JSON list of names, words and files");
    command->callback([json, &exit_code] { exit_code = list(*json); });
}

}  // namespace pliant::app
