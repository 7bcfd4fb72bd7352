// The rows as people and programs read them.
#pragma once

#include "measure.h"

#include <ostream>
#include <vector>

namespace pliant::benchmarks {

// with_build adds how long each engine took to set up, and its bytes per constraint.
void write_json(std::ostream& out, const std::vector<Row>& rows, bool with_build);
void write_table(std::ostream& out, const std::vector<Row>& rows, bool with_build);
void write_csv(std::ostream& out, const std::vector<Row>& rows);

}  // namespace pliant::benchmarks
