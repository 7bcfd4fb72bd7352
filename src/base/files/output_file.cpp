#include "base/files/output_file.h"

#include <cerrno>

namespace pliant {

OutputFile::OutputFile(std::filesystem::path file) : file_(std::move(file)) {
    Result<PartialFile> begun = PartialFile::create(file_);
    if (!begun) {
        failure_ = begun.error();
        return;
    }
    partial_ = std::move(*begun);
    errno = 0;
    stream_ = std::fopen(partial_->path().c_str(), "wb");
    if (stream_ == nullptr) {
        fail(errno);
    } else {
        std::setvbuf(stream_, nullptr, _IONBF, 0);  // the buffer is ours
    }
}

OutputFile::~OutputFile() { close(); }

void OutputFile::fail(int code) {
    if (!failure_) failure_ = cannot_write(file_, code);
}

void OutputFile::flush() {
    errno = 0;
    if (!failure_ && std::fwrite(buffer_.data(), 1, buffer_.size(), stream_) != buffer_.size()) fail(errno);
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
    if (!failure_) return {};
    partial_.reset();
    return *failure_;
}

Status OutputFile::commit() {
    if (Status status = complete(); !status) return status;
    if (const Status named = partial_->complete(); !named) failure_ = named.error();
    return complete();
}

Status write_file(const std::filesystem::path& file, std::string_view text) {
    OutputFile out(file);
    out.write(text);
    return out.commit();
}

}  // namespace pliant
