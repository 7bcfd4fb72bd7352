#include "base/files/input_file.h"

#include <cerrno>
#include <fstream>
#include <system_error>

namespace pliant {
namespace {

// errno where the library below sets it, which the standard does not promise.
int last_error() { return errno != 0 ? errno : EIO; }

Error unreadable(const std::filesystem::path& file, const std::string& reason) {
    return {file.string(), "cannot be read: " + reason};
}

}  // namespace

Result<std::string> read_file(const std::filesystem::path& file) {
    std::error_code code;
    const std::filesystem::file_status status = std::filesystem::status(file, code);
    if (!std::filesystem::exists(status)) {
        return unreadable(file, code ? code.message() : "No such file or directory");
    }
    if (std::filesystem::is_directory(status)) return unreadable(file, "it is a directory");
    if (!std::filesystem::is_regular_file(status)) return unreadable(file, "it is not a regular file");

    errno = 0;
    std::ifstream in(file, std::ios::binary | std::ios::ate);
    if (!in) return unreadable(file, std::generic_category().message(last_error()));
    const std::streamoff size = in.tellg();
    if (size < 0) return unreadable(file, std::generic_category().message(last_error()));
    std::string content(static_cast<std::size_t>(size), '\0');
    in.seekg(0);
    if (size > 0 && !in.read(content.data(), size)) {
        return unreadable(file, std::generic_category().message(last_error()));
    }
    return content;
}

}  // namespace pliant
