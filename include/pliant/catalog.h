// Every field that a description has, with unit, default and range, made from the tables that
// also validate input. Documentation, scene files and panels are built from it.
#pragma once

#include <string>
#include <vector>

namespace pliant {

struct FieldInfo {
    std::string name;
    std::string type;  // "number", "integer", "vector" or "choice"
    std::string unit;  // "" where it has none
    std::string default_value;
    std::string range;  // in words, "" where anything finite will do
    std::string summary;
};

struct TableInfo {
    std::string name;  // e.g. "Settings", or a constraint kind such as "distance"
    std::string summary;
    std::vector<FieldInfo> fields;
};

std::vector<TableInfo> catalog();

}  // namespace pliant
