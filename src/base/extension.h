// How a file's name ends.
#pragma once

#include <filesystem>
#include <string>

namespace pliant {

// ".obj", in small letters.
inline std::string extension_of(const std::filesystem::path& file) {
    std::string extension = file.extension().string();
    for (char& c : extension) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return extension;
}

}  // namespace pliant
