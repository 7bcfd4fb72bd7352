// The contacts of a run as a CSV file: a row for each contact of each frame.
#pragma once

#include <pliant/simulation.h>

#include <filesystem>
#include <string>

namespace pliant::app {

class ContactTable {
public:
    void add_frame(const Simulation& simulation);
    Status write(const std::filesystem::path& file) const;

private:
    std::string rows_;
};

}  // namespace pliant::app
