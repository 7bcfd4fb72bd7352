// Every field that a description has, with unit, default and range, made from the tables that
// also validate input. Documentation, scene files and panels are built from it.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace pliant {

struct NumberRange {
    double low = 0, high = 0;
    bool low_excluded = false;
};

struct FieldInfo {
    std::string name{};
    std::string type{};  // "number", "integer", "vector", "list of …", the names of a choice, a table's name
    std::string unit{};           // "" where it has none
    std::string default_value{};  // as JSON
    std::string range{};          // in words, "" where anything finite will do
    std::string summary{};
    bool required = false;                 // in a file
    std::string group{};                   // the keys of which a file must have exactly one, this among them
    std::optional<NumberRange> numbers{};  // of a number, or of each in a vector or list
    std::vector<std::string> choices{};    // of a choice; "true" and "false" of a switch
};

struct TableInfo {
    std::string name;  // e.g. "Settings", or a constraint kind such as "distance"
    std::string summary;
    std::vector<FieldInfo> fields;
};

std::vector<TableInfo> catalog();

}  // namespace pliant
