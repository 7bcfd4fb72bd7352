// The parts of a PLY file: its header, and values as text or bytes.
#pragma once

#include <pliant/error.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mesh/io/bytes.h"
#include "mesh/io/text.h"

namespace pliant::mesh::ply {

enum class Type { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

inline std::size_t size_of(Type type) {
    constexpr std::size_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
    return sizes[static_cast<std::size_t>(type)];
}

struct Property {
    std::string_view name{};
    Type type{};
    bool is_list = false;
    Type count_type{};  // of a list
};

struct Element {
    std::string_view name{};
    std::uint64_t count = 0;
    std::vector<Property> properties{};
};

enum class Format { text, little_endian, big_endian };

struct Header {
    Format format{};
    std::vector<Element> elements{};
    std::size_t bytes = 0, lines = 0;  // that it takes
};

Result<Header> parse_header(std::string_view content, std::string_view name);

// A number of at least one digit, and a blank.
class TextValues {
public:
    TextValues(std::string_view content, std::string_view name, const Header& header)
        : cursor_(content.substr(header.bytes), name, {.free_form = true}, header.lines + 1) {}

    static std::size_t least_bytes(Type) { return 2; }
    std::size_t remaining() const { return cursor_.remaining() + 1; }  // the last blank may be missing
    bool number(Type type, double& value) {
        if (type >= Type::float32) {
            float number = 0;
            if (!cursor_.number(number)) return false;
            value = number;
        } else {
            std::int64_t number = 0;
            if (!cursor_.integer(number)) return false;
            value = static_cast<double>(number);
        }
        return true;
    }
    bool skip(Type, std::uint64_t count) {
        for (; count > 0; --count) {
            if (cursor_.word().empty()) return cursor_.expected("a number");
        }
        return true;
    }
    bool fail(std::string message) { return cursor_.fail(std::move(message)); }
    const Error& error() const { return cursor_.error(); }

private:
    TextCursor cursor_;
};

class ByteValues {
public:
    ByteValues(std::string_view content, std::string_view name, const Header& header)
        : cursor_(content, name, header.bytes, header.format == Format::big_endian) {}

    static std::size_t least_bytes(Type type) { return size_of(type); }
    std::size_t remaining() const { return cursor_.remaining(); }
    bool number(Type type, double& value) {
        switch (type) {
            case Type::int8:
                return read<std::int8_t>(value);
            case Type::uint8:
                return read<std::uint8_t>(value);
            case Type::int16:
                return read<std::int16_t>(value);
            case Type::uint16:
                return read<std::uint16_t>(value);
            case Type::int32:
                return read<std::int32_t>(value);
            case Type::uint32:
                return read<std::uint32_t>(value);
            case Type::float32:
                return read<float>(value);
            case Type::float64:
                return read<double>(value);
        }
        return false;
    }
    bool skip(Type type, std::uint64_t count) {
        return cursor_.skip(static_cast<std::size_t>(count) * size_of(type));
    }
    bool fail(std::string message) { return cursor_.fail(std::move(message)); }
    const Error& error() const { return cursor_.error(); }

private:
    template <class T>
    bool read(double& value) {
        T number{};
        if (!cursor_.read(number)) return false;
        value = static_cast<double>(number);
        return std::isfinite(value) || cursor_.fail(fmt::format("expected a finite number, got {}", value));
    }

    ByteCursor cursor_;
};

}  // namespace pliant::mesh::ply
