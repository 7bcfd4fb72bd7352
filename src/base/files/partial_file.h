// A file that appears under its name only when it is complete: made beside, renamed at the end.
#pragma once

#include <pliant/error.h>

#include <filesystem>
#include <utility>

namespace pliant {

class PartialFile {
public:
    // Begins it, empty, beside the file's own place. Fails if it could not stand there: no such directory, no
    // permission, or there is something else than a regular file, such as /dev/stdout.
    static Result<PartialFile> create(const std::filesystem::path& file);

    PartialFile(PartialFile&& other) noexcept;
    PartialFile& operator=(PartialFile&& other) noexcept;
    ~PartialFile();  // removes it, unless it has been completed

    const std::filesystem::path& file() const { return file_; }  // as it will be called
    std::filesystem::path path() const;                          // as it is called now

    Status complete();

private:
    explicit PartialFile(std::filesystem::path file) : file_(std::move(file)) {}
    std::filesystem::path file_;  // empty: completed or moved from
};

// "cannot be written: …", with the system's words for the code.
Error cannot_write(const std::filesystem::path& file, int code);

}  // namespace pliant
