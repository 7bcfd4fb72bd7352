// Makes of a scene's file what runs: shapes are made, files read, names and particles looked up.
#pragma once

#include <pliant/scene.h>

#include <filesystem>
#include <optional>
#include <vector>

namespace pliant {

// Fills all but name and file. An Error's place is the path in the file.
std::optional<Error> resolve(Scene& scene, const std::filesystem::path& directory);

}  // namespace pliant
