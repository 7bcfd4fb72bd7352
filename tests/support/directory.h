// A directory of its own for a test, gone at the end.
#pragma once

#include <cstddef>
#include <filesystem>
#include <iterator>
#include <string>

namespace pliant::test {

struct Directory {
    explicit Directory(const std::string& name)
        : path(std::filesystem::temp_directory_path() / ("pliant_" + name + "_test")) {
        std::filesystem::remove_all(path);
        std::filesystem::create_directory(path);
    }
    ~Directory() { std::filesystem::remove_all(path); }
    Directory(const Directory&) = delete;
    Directory& operator=(const Directory&) = delete;

    std::size_t entries() const {
        return static_cast<std::size_t>(
            std::distance(std::filesystem::directory_iterator(path), std::filesystem::directory_iterator{}));
    }

    std::filesystem::path path;
};

}  // namespace pliant::test
