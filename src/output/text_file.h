// A text as a file.
#pragma once

#include <pliant/error.h>

#include <filesystem>
#include <string_view>

namespace pliant::output {

// Appears under its name only when it is complete.
Status write_text_file(const std::filesystem::path& file, std::string_view text);

}  // namespace pliant::output
