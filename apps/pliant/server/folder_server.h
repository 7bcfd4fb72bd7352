// Serves a folder to browsers on this machine. One thread for all; what is slow, large or malformed is ended
// without holding up the others.
#pragma once

#include <pliant/error.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "pliant/server/request.h"

namespace pliant::app {

class FolderServer {
public:
    // Listens on 127.0.0.1 alone. Port 0 is any that is free; an Error of one in use names the next free one.
    static Result<FolderServer> open(std::filesystem::path folder, int port);

    FolderServer(FolderServer&& other) noexcept;
    FolderServer& operator=(FolderServer&&) = delete;
    ~FolderServer();

    int port() const { return port_; }
    // One more file, from memory.
    void add(const std::string& path, std::string type, std::string content);
    // Until stop is true.
    void run(const std::atomic<bool>& stop);

private:
    using Clock = std::chrono::steady_clock;
    struct Connection {
        int socket = -1;
        std::string received{}, answer{};
        std::size_t sent = 0;
        Clock::time_point deadline{};
        bool done = false;
    };

    FolderServer(std::filesystem::path folder, int listener, int port);
    void accept_all();
    void receive(Connection& connection);
    void send_more(Connection& connection);
    void answer(Connection& connection, const Response& response, bool head = false);
    Response respond(const Request& request) const;
    void close_finished();

    std::filesystem::path folder_;
    int listener_ = -1, port_ = 0;
    std::map<std::string, Response> extra_;
    std::vector<Connection> connections_;
};

}  // namespace pliant::app
