// Numbers and texts as a page holds them.
#pragma once

#include <pliant/vector.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/format.h"

namespace pliant::output {

static_assert(std::endian::native == std::endian::little, "as every browser's typed arrays are");

// The bytes as they are in memory.
template <class T>
std::string base64(std::span<const T> values) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::span bytes{reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes()};
    std::string out;
    out.reserve(bytes.size() / 3 * 4 + 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k) group = group << 8 | (k < count ? bytes[i + k] : 0u);
        for (std::size_t k = 0; k < 4; ++k) out += k <= count ? digits[group >> (18 - 6 * k) & 63] : '=';
    }
    return out;
}

template <class T>
std::string json_vector(const Vector3<T>& v) {
    return fmt::format("[{},{},{}]", v.x, v.y, v.z);
}

// text(item) of each, with commas between.
template <class Range, class Function>
std::string json_list(const Range& range, Function&& text) {
    std::string out;
    for (const auto& item : range) {
        out += out.empty() ? "" : ",";
        out += text(item);
    }
    return "[" + out + "]";
}

// Valid as JSON and inside a script element, which would end at "</script".
std::string json_text(std::string_view text);

std::string html_text(std::string_view text);

}  // namespace pliant::output
