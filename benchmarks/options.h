// What options cost: each scene with and without, in turn, in one run.
#pragma once

#include "measure.h"

#include <ostream>

namespace pliant::benchmarks {

struct OptionRow {
    std::string option;
    std::string scene;
    double without = 0, with = 0;  // ns per constraint and substep, the best of all rounds
};

// Pliant alone, on one thread.
std::vector<OptionRow> measure_options(int runs, const Progress& progress);

void write_options(std::ostream& out, const std::vector<OptionRow>& rows);

}  // namespace pliant::benchmarks
