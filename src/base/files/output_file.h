// Writes a file that appears under its name only when it is complete.
#pragma once

#include <pliant/error.h>

#include <bit>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/files/partial_file.h"
#include "base/format.h"

namespace pliant {

static_assert(std::endian::native == std::endian::little, "files hold numbers as memory does");

std::string_view bytes_of(const auto& number) {
    static_assert(std::is_arithmetic_v<std::remove_cvref_t<decltype(number)>>);
    return {reinterpret_cast<const char*>(&number), sizeof number};
}

// The first failure is kept until commit() tells it; what is written after it goes nowhere.
// Without commit() nothing is left.
class OutputFile {
public:
    explicit OutputFile(std::filesystem::path file);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::string_view bytes) {
        buffer_ += bytes;
        if (buffer_.size() >= buffer_size) flush();
    }

    // Numbers take the fewest digits that give them back exactly, whatever the locale.
    template <class... Arguments>
    void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(buffer_), format, std::forward<Arguments>(arguments)...);
        if (buffer_.size() >= buffer_size) flush();
    }

    // The bytes as they are in memory.
    template <class T>
    void write_array(std::span<const T> values) {
        static_assert(std::is_trivially_copyable_v<T>);
        write({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
    }

    // All is on the disk, but still under the other name. Of files that belong together, complete each before
    // the first is committed.
    Status complete();
    Status commit();

    const std::filesystem::path& path() const { return file_; }

private:
    static constexpr std::size_t buffer_size = 1 << 16;

    void flush();
    void close();
    void fail(int code);

    std::filesystem::path file_;
    std::optional<PartialFile> partial_;
    std::FILE* stream_ = nullptr;
    std::string buffer_;
    std::optional<Error> failure_;
};

// A text as a file.
Status write_file(const std::filesystem::path& file, std::string_view text);

}  // namespace pliant
