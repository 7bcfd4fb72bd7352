// How a file's name ends.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace pliant {

// Only the letters of ASCII change.
inline std::string small_letters(std::string_view text) {
    std::string result(text);
    for (char& c : result) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return result;
}

// ".obj", in small letters.
inline std::string extension_of(const std::filesystem::path& file) {
    return small_letters(file.extension().string());
}

}  // namespace pliant
