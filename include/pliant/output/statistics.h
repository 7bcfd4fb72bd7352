// Statistics of a run: a row for each frame, kept for plots, written as CSV and read back.
#pragma once

#include <pliant/error.h>
#include <pliant/vector.h>
#include <pliant/view.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace pliant::output {

struct StatisticsRow {
    double frame = 0;
    double time = 0;                                                    // s
    double kinetic_energy = 0, potential_energy = 0, total_energy = 0;  // J
    Vec3d momentum{};                                                   // kg·m/s
    Vec3d angular_momentum{};                                           // kg·m²/s
    double volume = 0;                                                  // m³
    double volume_ratio = 0;  // of the rest volume; NaN where there is none
    double worst_constraint_error = 0, mean_constraint_error = 0;  // of the rest length or volume
    double inverted_tetrahedra = 0, repaired_particles = 0, rescues = 0;
    double step_time = 0;  // ms
};

// milliseconds: the time of the step to this frame; NaN if nothing was measured.
StatisticsRow statistics_row(std::uint64_t frame, double time, const Diagnostics& diagnostics,
                             double milliseconds);

// CSV after RFC 4180. Names of columns tell their units; a value that there is not, such as the volume
// ratio of a cloth, is an empty field.
std::string to_csv(const std::vector<StatisticsRow>& rows);
Status write_statistics(const std::filesystem::path& file, const std::vector<StatisticsRow>& rows);

// Columns may be in any order, with others among them; missing ones are NaN. name: of the source, in errors.
Result<std::vector<StatisticsRow>> parse_statistics(std::string_view csv, std::string_view name);
Result<std::vector<StatisticsRow>> read_statistics(const std::filesystem::path& file);

}  // namespace pliant::output
