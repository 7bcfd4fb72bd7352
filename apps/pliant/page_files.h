// The built page, and what it is handed of a scene.
#pragma once

#include <pliant/error.h>
#include <pliant/scene.h>

#include <filesystem>
#include <string>
#include <vector>

namespace pliant::app {

// Beside an installed program, else where it was built; it need not be there.
std::filesystem::path page_folder();

std::string file_content(const std::filesystem::path& file);

// The files that a scene's bodies and colliders are made of, as it names them.
std::vector<std::filesystem::path> mesh_files_of(const scene::File& file);

// The page in one file, with one scene in it. directory: where the scene's files are.
Result<std::string> live_page(const scene::File& scene, const std::string& name,
                              const std::filesystem::path& directory,
                              const std::vector<std::string>& changes);

}  // namespace pliant::app
