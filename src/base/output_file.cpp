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
        partial_exists_ = true;
        std::setvbuf(stream_, nullptr, _IONBF, 0);  // the buffer is ours
    }
}

OutputFile::~OutputFile() {
    close();
    remove_partial();
}

void OutputFile::remove_partial() {
    std::error_code ignored;
    if (partial_exists_) std::filesystem::remove(partial_, ignored);
    partial_exists_ = false;
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

Status OutputFile::complete() {
    if (stream_ != nullptr) flush();
    close();
    if (failure_.empty()) return {};
    remove_partial();
    return Error{file_.string(), "cannot be written: " + failure_};
}

Status OutputFile::commit() {
    if (Status status = complete(); !status) return status;
    std::error_code renamed;
    std::filesystem::rename(partial_, file_, renamed);
    partial_exists_ = static_cast<bool>(renamed);
    if (renamed) fail(renamed.value());
    return complete();
}

Status write_file(const std::filesystem::path& file, std::string_view text) {
    OutputFile out(file);
    out.write(text);
    return out.commit();
}

}  // namespace pliant
