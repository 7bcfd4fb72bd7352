// Captions and the legend of values, written over a finished picture.
#pragma once

#include <pliant/output/picture.h>

#include <cstdint>
#include <span>

namespace pliant::output {

// rgb: three bytes a pixel, row after row from the top.
void annotate(const Picture& picture, int width, int height, std::span<std::uint8_t> rgb);

}  // namespace pliant::output
