#include <array>
#include <cfloat>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "base/format.h"
#include "mesh/io/base64.h"
#include "mesh/io/bytes.h"
#include "mesh/io/text.h"
#include "mesh/io/vtu.h"
#include "mesh/io/zlib.h"

namespace pliant::mesh::vtu {
namespace {

// Bytes as they are or in base64, taken from the front. Groups of four characters are decoded one by one, so
// that padding may stand in the middle: some programs encode the header of an array on its own.
class ByteSource {
public:
    ByteSource(std::string_view text, bool base64) : text_(text), base64_(base64) {}

    // Appends so many bytes, or says false if there are fewer.
    bool take(std::uint64_t count, std::string& out) {
        const std::uint64_t most =
            base64_ ? (text_.size() - at_) / 4 * 3 + pending_.size() : text_.size() - at_;
        if (count > most) return false;
        if (!base64_) {
            out += text_.substr(at_, static_cast<std::size_t>(count));
            at_ += static_cast<std::size_t>(count);
            return true;
        }
        while (pending_.size() < count) {
            if (!decode_group()) return false;
        }
        out += std::string_view(pending_).substr(0, static_cast<std::size_t>(count));
        pending_.erase(0, static_cast<std::size_t>(count));
        return true;
    }
    std::uint64_t used() const { return at_; }

private:
    bool decode_group() {
        std::uint32_t group = 0;
        int digits = 0, padding = 0;
        while (digits + padding < 4) {
            if (at_ == text_.size()) return false;
            const char c = text_[at_++];
            if (c == ' ' || c == '\n' || c == '\r' || c == '\t') continue;
            const int value = base64_digit(c);
            if (value >= 0 && padding == 0) {
                group = group << 6 | static_cast<std::uint32_t>(value);
                ++digits;
            } else if (c == '=') {
                ++padding;
            } else {
                return false;
            }
        }
        if (digits < 2) return false;
        group <<= 6 * padding;
        for (int i = 0; i < digits - 1; ++i) pending_ += static_cast<char>(group >> (16 - 8 * i) & 255);
        return true;
    }

    std::string_view text_;
    bool base64_;
    std::size_t at_ = 0;
    std::string pending_;  // decoded, but not taken yet
};

bool take_word(ByteSource& source, const Encoding& encoding, std::uint64_t& word) {
    std::string bytes;
    if (!source.take(encoding.wide_header ? 8 : 4, bytes)) return false;
    word = encoding.wide_header ? number_from_bytes<std::uint64_t>(bytes.data(), encoding.big_endian)
                                : number_from_bytes<std::uint32_t>(bytes.data(), encoding.big_endian);
    return true;
}

// The number of blocks, the size of each but the last, the size of the last if it is smaller, and the packed
// size of each; then the blocks.
bool take_compressed(ByteSource& source, const Encoding& encoding, std::string& bytes) {
    std::uint64_t blocks = 0, block_size = 0, last_size = 0;
    if (!take_word(source, encoding, blocks) || !take_word(source, encoding, block_size) ||
        !take_word(source, encoding, last_size)) {
        return false;
    }
    std::vector<std::uint64_t> packed_sizes;
    for (std::uint64_t i = 0; i < blocks; ++i) {
        if (!take_word(source, encoding, packed_sizes.emplace_back())) return false;
    }
    for (std::uint64_t i = 0; i < blocks; ++i) {
        std::string packed;
        if (!source.take(packed_sizes[static_cast<std::size_t>(i)], packed)) return false;
        const std::uint64_t size = i + 1 == blocks && last_size != 0 ? last_size : block_size;
        if (size > std::numeric_limits<std::size_t>::max()) return false;
        const std::optional<std::string> block = unpack_zlib(packed, static_cast<std::size_t>(size));
        if (!block) return false;
        bytes += *block;
    }
    return true;
}

}  // namespace

bool ArrayReader::fail(std::size_t line, std::string message) {
    if (error_.message.empty()) error_ = {fmt::format("{}:{}", name_, line), std::move(message)};
    return false;
}

bool ArrayReader::bytes_of(const DataArray& array, std::string& bytes) {
    const bool appended = array.format == "appended";
    if (appended && array.offset > appended_.data.size()) {
        return fail(array.line, fmt::format("offset {} is beyond the {} bytes of appended data", array.offset,
                                            appended_.data.size()));
    }
    const std::string_view text =
        appended ? appended_.data.substr(static_cast<std::size_t>(array.offset)) : array.text;
    ByteSource source(text, !appended || appended_.base64);
    std::uint64_t size = 0;
    const bool good = encoding_.compressed ? take_compressed(source, encoding_, bytes)
                                           : take_word(source, encoding_, size) && source.take(size, bytes);
    if (!good) {
        return fail(array.line,
                    "the data of this array is damaged or ends too early (a header and then "
                    "that many bytes are expected)");
    }
    // Or a small file could ask for the same bytes a thousand times.
    if (appended && (appended_used_ += source.used()) > appended_.data.size()) {
        return fail(array.line, "arrays overlap in the appended data");
    }
    return true;
}

template <class T>
bool ArrayReader::read_text(const DataArray& array, std::vector<T>& values) {
    TextCursor cursor(array.text, name_, {.free_form = true}, array.text_line);
    while (cursor.has_word()) {
        T value{};
        bool good = false;
        if constexpr (std::is_same_v<T, float>) {
            good = cursor.number(value);
        } else {
            good = cursor.integer(value);
        }
        if (!good) {
            error_ = cursor.error();
            return false;
        }
        values.push_back(value);
    }
    return true;
}

template <class Stored, class T>
bool ArrayReader::convert(const DataArray& array, std::string_view bytes, std::vector<T>& values) {
    if (bytes.size() % sizeof(Stored) != 0) {
        return fail(array.line,
                    fmt::format("{} bytes are not a whole number of {}", bytes.size(), array.type));
    }
    values.reserve(bytes.size() / sizeof(Stored));
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(Stored)) {
        const auto stored = number_from_bytes<Stored>(bytes.data() + at, encoding_.big_endian);
        if constexpr (std::is_floating_point_v<Stored>) {
            if (!(std::abs(stored) <= FLT_MAX)) {
                return fail(array.line,
                            fmt::format("value {} must be a finite float, got {}", values.size(), stored));
            }
        }
        values.push_back(static_cast<T>(stored));
    }
    return true;
}

template <class T>
bool ArrayReader::read_any(const DataArray& array, std::vector<T>& values) {
    if (array.format == "ascii") return read_text(array, values);
    if (array.format != "binary" && array.format != "appended") {
        return fail(array.line, "the format must be ascii, binary or appended, got " + quoted(array.format));
    }
    std::string bytes;
    if (!bytes_of(array, bytes)) return false;
    if (array.type == "Float32") return convert<float>(array, bytes, values);
    if (array.type == "Float64") return convert<double>(array, bytes, values);
    if (array.type == "Int8") return convert<std::int8_t>(array, bytes, values);
    if (array.type == "UInt8") return convert<std::uint8_t>(array, bytes, values);
    if (array.type == "Int16") return convert<std::int16_t>(array, bytes, values);
    if (array.type == "UInt16") return convert<std::uint16_t>(array, bytes, values);
    if (array.type == "Int32") return convert<std::int32_t>(array, bytes, values);
    if (array.type == "UInt32") return convert<std::uint32_t>(array, bytes, values);
    if (array.type == "Int64") return convert<std::int64_t>(array, bytes, values);
    if (array.type == "UInt64") return convert<std::uint64_t>(array, bytes, values);
    return fail(array.line, "expected a type such as Float32 or Int64, got " + quoted(array.type));
}

bool ArrayReader::read(const DataArray& array, std::vector<float>& values) { return read_any(array, values); }

// Floating-point indices could lie outside what an integer holds.
bool ArrayReader::read(const DataArray& array, std::vector<std::int64_t>& values) {
    if (array.type.starts_with("Float")) {
        return fail(array.line, "whole numbers must have a type such as Int64, got " + quoted(array.type));
    }
    return read_any(array, values);
}

}  // namespace pliant::mesh::vtu
