// Figures of how a run went.
#pragma once

#include <pliant/error.h>
#include <pliant/output/statistics.h>

#include <filesystem>
#include <string>
#include <vector>

namespace pliant::output {

// One SVG 1.1 figure: energy, momentum, volume, constraint error, inverted elements and time per frame, each
// in a panel of its own over the same time axis. Values that are not finite leave gaps.
std::string plot_svg(const std::vector<StatisticsRow>& rows, const std::string& title = {});

// The file's extension decides: .svg, or .png, which needs the program rsvg-convert.
Status check_plot_name(const std::filesystem::path& file);
Status write_plot(const std::filesystem::path& file, const std::vector<StatisticsRow>& rows,
                  const std::string& title = {});

}  // namespace pliant::output
