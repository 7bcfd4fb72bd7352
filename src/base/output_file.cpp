#include "base/output_file.h"

#include <cerrno>
#include <system_error>

namespace pliant {

OutputFile::OutputFile(std::filesystem::path file) : file_(std::move(file)), partial_(file_) {
    partial_ += ".partial";
    // Renaming would put a plain file in the place of a device, such as /dev/stdout.
    std::error_code unknown;
    const std::filesystem::file_status present = std::filesystem::status(file_, unknown);
    if (std::filesystem::exists(present) && !std::filesystem::is_regular_file(present)) {
        failure_ = "it exists and is not a regular file";
        return;
    }
    stream_ = std::fopen(partial_.c_str(), "wb");
    if (stream_ == nullptr) {
        fail(errno);
    } else {
        std::setvbuf(stream_, nullptr, _IONBF, 0);  // the buffer is ours
    }
}

OutputFile::~OutputFile() {
    if (committed_ || stream_ == nullptr) return;
    std::fclose(stream_);
    std::error_code ignored;
    std::filesystem::remove(partial_, ignored);
}

void OutputFile::fail(int code) {
    if (failure_.empty()) failure_ = std::generic_category().message(code != 0 ? code : EIO);
}

void OutputFile::flush() {
    errno = 0;
    if (failure_.empty() && std::fwrite(buffer_.data(), 1, buffer_.size(), stream_) != buffer_.size()) {
        fail(errno);
    }
    buffer_.clear();
}

// Some file systems tell only now that the disk is full.
void OutputFile::close() {
    if (stream_ == nullptr) return;
    errno = 0;
    if (std::fclose(stream_) != 0) fail(errno);
    stream_ = nullptr;
}

Status OutputFile::commit() {
    flush();
    const bool opened = stream_ != nullptr;
    close();
    std::error_code renamed;
    if (failure_.empty()) std::filesystem::rename(partial_, file_, renamed);
    if (renamed) fail(renamed.value());
    committed_ = true;
    if (failure_.empty()) return {};
    std::error_code ignored;
    if (opened) std::filesystem::remove(partial_, ignored);
    return Error{file_.string(), "cannot be written: " + failure_};
}

}  // namespace pliant
