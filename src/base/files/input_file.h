// A whole file at once.
#pragma once

#include <pliant/error.h>

#include <filesystem>
#include <string>

namespace pliant {

// Regular files only: a pipe or a device may never end.
Result<std::string> read_file(const std::filesystem::path& file);

}  // namespace pliant
