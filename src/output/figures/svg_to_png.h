// SVG as a picture of points, by the program rsvg-convert.
#pragma once

#include <pliant/error.h>

#include <filesystem>
#include <string_view>

namespace pliant::output {

// Two points a unit of the drawing.
Status svg_to_png(std::string_view svg, const std::filesystem::path& file);

}  // namespace pliant::output
