// Writes a picture as a PNG file, quickly rather than as small as can be.
#pragma once

#include <pliant/error.h>

#include <cstdint>
#include <filesystem>
#include <span>

namespace pliant::output {

// rgb: three bytes a pixel, row after row from the top. Straight into the file: see PartialFile.
Status write_png(const std::filesystem::path& file, int width, int height, std::span<const std::uint8_t> rgb);

}  // namespace pliant::output
