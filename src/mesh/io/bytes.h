// Walks over binary data of either byte order.
#pragma once

#include <pliant/error.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/format.h"

namespace pliant::mesh {

template <std::size_t Size>
using UnsignedOfSize =
    std::conditional_t<Size == 1, std::uint8_t,
                       std::conditional_t<Size == 2, std::uint16_t,
                                          std::conditional_t<Size == 4, std::uint32_t, std::uint64_t>>>;

template <class T>
T number_from_bytes(const char* bytes, bool big_endian) {
    UnsignedOfSize<sizeof(T)> bits = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
        const std::size_t shift = 8 * (big_endian ? sizeof(T) - 1 - i : i);
        bits = static_cast<decltype(bits)>(
            bits | static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << shift);
    }
    T number;
    std::memcpy(&number, &bits, sizeof(T));
    return number;
}

// As TextCursor: what returns false has said why in error().
class ByteCursor {
public:
    ByteCursor(std::string_view content, std::string_view name, std::size_t offset, bool big_endian)
        : content_(content), name_(name), offset_(offset), big_endian_(big_endian) {}

    std::size_t remaining() const { return content_.size() - offset_; }

    template <class T>
    bool read(T& value) {
        if (remaining() < sizeof(T)) return fail("the file ends too early");
        value = number_from_bytes<T>(content_.data() + offset_, big_endian_);
        offset_ += sizeof(T);
        return true;
    }
    bool skip(std::size_t bytes) {
        if (remaining() < bytes) return fail("the file ends too early");
        offset_ += bytes;
        return true;
    }
    bool fail(std::string message) {
        if (error_.message.empty()) error_ = {fmt::format("{}: byte {}", name_, offset_), std::move(message)};
        return false;
    }
    const Error& error() const { return error_; }

private:
    std::string_view content_, name_;
    std::size_t offset_;
    bool big_endian_;
    Error error_{};
};

}  // namespace pliant::mesh
