// The table of pliant validate, as text, JSON and a page.
#pragma once

#include <span>
#include <string>

#include "base/json.h"
#include "pliant/validate/case.h"

namespace pliant::app::validation {

std::string table_heading(const Case& of);  // what the case is, and the names of the columns
std::string table_line(const Row& row);
std::string table_summary(std::span<const Row> rows);  // how many pass and how many miss

json::Value to_json(std::span<const Row> rows);  // a list

// A whole HTML page that needs no other file: the rows of each case, and figures of theory and measurement.
std::string page(std::span<const Row> rows);

}  // namespace pliant::app::validation
