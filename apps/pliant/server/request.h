// What a browser asks for, and what it is told: the parts of HTTP that a folder of files needs.
#pragma once

#include <pliant/error.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace pliant::app {

struct Request {
    bool head = false;   // HEAD: the answer has no content
    std::string path{};  // decoded, "/…" without "." and "..", query and fragment
    std::string host{};  // without its port
};

struct Response {
    int status = 200;
    std::string type = "text/plain; charset=utf-8", content{};
};

// Of all up to the empty line. An Error's message is for the browser.
Result<Request> parse_request(std::string_view text);

// The text to send. Pages are isolated from other origins, so that they may share memory between threads.
std::string to_text(const Response& response, bool head);

// A file of the folder; index.html of a folder. 404 for what is not in it, also by links.
Response read_response(const std::filesystem::path& folder, const Request& request);

std::string_view type_of(const std::filesystem::path& file);

}  // namespace pliant::app
