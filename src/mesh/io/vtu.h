// The parts of a .vtu file: its tags, and its arrays of numbers in all their encodings.
#pragma once

#include <pliant/error.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pliant::mesh::vtu {

struct Tag {
    std::string_view name{};        // with a leading / if it closes; empty at the end of the file
    std::string_view attributes{};  // name="value" …
    bool closed = false;            // <Name … />
    std::size_t line = 0;

    // Empty if there is none of that name.
    std::string_view attribute(std::string_view name) const;
};

// As much XML as these files use; tags in the order of the file.
class TagReader {
public:
    explicit TagReader(std::string_view content) : content_(content) {}

    Tag next();
    std::string_view text() const;  // up to the next tag
    std::string_view rest() const { return content_.substr(at_); }
    std::size_t line() const { return line_; }

private:
    void move_to(std::size_t at);
    void skip_past(std::string_view mark);

    std::string_view content_;
    std::size_t at_ = 0, line_ = 1;
};

struct Encoding {
    bool big_endian = false;
    bool wide_header = false;  // UInt64 instead of UInt32
    bool compressed = false;   // by zlib
};

struct DataArray {
    std::string_view type{}, format{};
    std::string_view text{};   // for ascii and binary
    std::uint64_t offset = 0;  // for appended
    std::size_t line = 0;      // 0: the file has no such array
    std::size_t text_line = 0;
};

struct Appended {
    std::string_view data{};  // after the underscore
    bool base64 = false;
};

// Reads arrays; what returns false has said why in error().
class ArrayReader {
public:
    ArrayReader(std::string_view name, const Encoding& encoding, const Appended& appended)
        : name_(name), encoding_(encoding), appended_(appended) {}

    bool read(const DataArray& array, std::vector<float>& values);  // all finite
    bool read(const DataArray& array, std::vector<std::int64_t>& values);
    bool fail(std::size_t line, std::string message);
    const Error& error() const { return error_; }

private:
    template <class T>
    bool read_any(const DataArray& array, std::vector<T>& values);
    template <class T>
    bool read_text(const DataArray& array, std::vector<T>& values);
    template <class Stored, class T>
    bool convert(const DataArray& array, std::string_view bytes, std::vector<T>& values);
    bool bytes_of(const DataArray& array, std::string& bytes);

    std::string_view name_;
    Encoding encoding_;
    Appended appended_;
    std::uint64_t appended_used_ = 0;
    Error error_{};
};

}  // namespace pliant::mesh::vtu
