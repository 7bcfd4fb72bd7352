// Makes of a scene's file what runs: shapes are made, files read, names and particles looked up.
#pragma once

#include <pliant/scene.h>

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace pliant {

// Fills all but name and file. An Error's place is the path in the file.
std::optional<Error> resolve(Scene& scene, const SceneSource& source);

// An event beside those of the file. hands: that hold something.
Result<TimedEvent> resolve_event(Scene& scene, const scene::Event& event, std::set<std::string> hands);

}  // namespace pliant
