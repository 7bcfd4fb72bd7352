// Bytes as text: three of them in four characters.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pliant::mesh {

// −1: it is none.
inline int base64_digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// Appends the bytes. Padding at the end may be missing.
inline bool decode_base64(std::string_view text, std::string& bytes) {
    while (!text.empty() && text.back() == '=') text.remove_suffix(1);
    std::uint32_t bits = 0;
    int waiting = 0;
    for (const char c : text) {
        const int digit = base64_digit(c);
        if (digit < 0) return false;
        bits = bits << 6 | static_cast<std::uint32_t>(digit);
        waiting += 6;
        if (waiting < 8) continue;
        waiting -= 8;
        bytes += static_cast<char>(bits >> waiting & 255);
    }
    return waiting < 6;
}

}  // namespace pliant::mesh
