#include "pliant/server/request.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include "base/format.h"

namespace pliant::app {
namespace {

int digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

std::optional<std::string> percent_decoded(std::string_view text) {
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            decoded += text[i];
            continue;
        }
        if (i + 2 >= text.size()) return std::nullopt;
        const int high = digit_of(text[i + 1]), low = digit_of(text[i + 2]);
        if (high < 0 || low < 0) return std::nullopt;
        decoded += static_cast<char>(16 * high + low);
        i += 2;
    }
    return decoded;
}

// No control characters, no backslash, no "." and "..".
bool is_plain(const std::string& path) {
    for (const char c : path) {
        if (static_cast<unsigned char>(c) < 32 || c == 127 || c == '\\') return false;
    }
    for (const auto& part : std::filesystem::path(path)) {
        if (part == ".." || part == ".") return false;
    }
    return true;
}

bool same_but_for_case(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const char c = a[i] >= 'A' && a[i] <= 'Z' ? static_cast<char>(a[i] - 'A' + 'a') : a[i];
        if (c != b[i]) return false;
    }
    return true;
}

// The value of the header Host, without its port.
std::string host_of(std::string_view headers) {
    while (!headers.empty()) {
        const std::size_t end = std::min(headers.find('\n'), headers.size());
        std::string_view line = headers.substr(0, end);
        headers.remove_prefix(std::min(end + 1, headers.size()));
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos || !same_but_for_case(line.substr(0, colon), "host")) continue;
        line.remove_prefix(colon + 1);
        while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
        return std::string(line.substr(0, line.rfind(':')));
    }
    return "";
}

const char* reason(int status) {
    switch (status) {
        case 200:
            return "OK";
        case 400:
            return "Bad Request";
        case 403:
            return "Forbidden";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        case 408:
            return "Request Timeout";
        case 431:
            return "Request Header Fields Too Large";
        default:
            return "Internal Server Error";
    }
}

Response not_found(const Request& request) {
    return {404, "text/plain; charset=utf-8", fmt::format("There is no {} here.\n", request.path)};
}

}  // namespace

Result<Request> parse_request(std::string_view text) {
    const std::size_t end = text.find("\r\n");
    const std::string_view line = text.substr(0, end);
    const std::size_t first = line.find(' '), second = line.find(' ', first + 1);
    if (end == std::string_view::npos || first == std::string_view::npos || second == std::string_view::npos)
        return Error{"400", "The first line must be a method, a path and a version."};
    const std::string_view method = line.substr(0, first), version = line.substr(second + 1);
    if (version != "HTTP/1.1" && version != "HTTP/1.0")
        return Error{"400", "Only HTTP/1.0 and HTTP/1.1 are understood."};
    if (method != "GET" && method != "HEAD") return Error{"405", "Only GET and HEAD are answered."};
    std::string_view target = line.substr(first + 1, second - first - 1);
    target = target.substr(0, target.find_first_of("?#"));
    const auto path = percent_decoded(target);
    if (!path || !path->starts_with('/') || !is_plain(*path))
        return Error{"400", "The path must begin with / and lead nowhere else."};
    return Request{method == "HEAD", *path, host_of(text.substr(end + 2))};
}

std::string to_text(const Response& response, bool head) {
    std::string text = fmt::format(
        "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n"
        "Cache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\n"
        "Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Embedder-Policy: require-corp\r\n"
        "Cross-Origin-Resource-Policy: same-origin\r\n",
        response.status, reason(response.status), response.type, response.content.size());
    if (response.status == 405) text += "Allow: GET, HEAD\r\n";
    text += "\r\n";
    return head ? text : text + response.content;
}

Response read_response(const std::filesystem::path& folder, const Request& request) {
    std::error_code code;
    const std::filesystem::path root = std::filesystem::canonical(folder, code);
    std::filesystem::path file = std::filesystem::canonical(root / request.path.substr(1), code);
    if (!code && std::filesystem::is_directory(file, code))
        file = std::filesystem::canonical(file / "index.html", code);
    if (code || !std::filesystem::is_regular_file(file, code)) return not_found(request);
    const auto [rest, unused] = std::mismatch(root.begin(), root.end(), file.begin(), file.end());
    if (rest != root.end()) return not_found(request);  // a link leads out of the folder
    std::ifstream stream(file, std::ios::binary);
    std::string content((std::istreambuf_iterator<char>(stream)), {});
    if (!stream.is_open() || stream.bad()) return {500, "text/plain; charset=utf-8", "It cannot be read.\n"};
    return {200, std::string(type_of(file)), std::move(content)};
}

std::string_view type_of(const std::filesystem::path& file) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 9> types{{
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".mjs", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".json", "application/json; charset=utf-8"},
        {".wasm", "application/wasm"},
        {".webp", "image/webp"},
        {".png", "image/png"},
        {".svg", "image/svg+xml"},
    }};
    const std::string extension = file.extension().string();
    for (const auto& [known, type] : types) {
        if (extension == known) return type;
    }
    return "application/octet-stream";
}

}  // namespace pliant::app
