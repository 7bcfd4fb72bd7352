#include "base/files/partial_file.h"

#include <cerrno>
#include <fstream>
#include <system_error>
#include <utility>

namespace pliant {

Error cannot_write(const std::filesystem::path& file, int code) {
    return {file.string(), "cannot be written: " + std::generic_category().message(code != 0 ? code : EIO)};
}

Result<PartialFile> PartialFile::create(const std::filesystem::path& file) {
    std::error_code unknown;
    const std::filesystem::file_status present = std::filesystem::status(file, unknown);
    if (std::filesystem::exists(present) && !std::filesystem::is_regular_file(present)) {
        return Error{file.string(), "cannot be written: it exists and is not a regular file"};
    }
    PartialFile partial(file);
    errno = 0;
    if (!std::ofstream(partial.path(), std::ios::binary)) {
        partial.file_.clear();
        return cannot_write(file, errno);
    }
    return partial;
}

PartialFile::PartialFile(PartialFile&& other) noexcept : file_(std::exchange(other.file_, {})) {}

PartialFile& PartialFile::operator=(PartialFile&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
}

PartialFile::~PartialFile() {
    std::error_code ignored;
    if (!file_.empty()) std::filesystem::remove(path(), ignored);
}

std::filesystem::path PartialFile::path() const {
    std::filesystem::path partial = file_;
    return partial += ".partial";
}

Status PartialFile::complete() {
    std::error_code failed;
    std::filesystem::rename(path(), file_, failed);
    if (failed) return cannot_write(file_, failed.value());
    file_.clear();
    return {};
}

}  // namespace pliant
