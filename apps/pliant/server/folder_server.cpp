#include "pliant/server/folder_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/format.h"

namespace pliant::app {
namespace {

constexpr std::size_t most_connections = 64, longest_request = 16384;
constexpr auto patience = std::chrono::seconds(10);  // for a request, and for each piece of an answer

// A socket that listens on this port of the loopback, or -1 with errno.
int listen_on(int port) {
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener < 0) return -1;
    const int yes = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
        listen(listener, 64) == 0) {
        return listener;
    }
    const int reason = errno;
    close(listener);
    errno = reason;
    return -1;
}

int port_of(int listener) {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.sin_port);
}

// The next port that is free, or 0.
int next_free(int port) {
    for (int next = port + 1; next < std::min(port + 100, 65536); ++next) {
        if (const int listener = listen_on(next); listener >= 0) return close(listener), next;
    }
    return 0;
}

}  // namespace

Result<FolderServer> FolderServer::open(std::filesystem::path folder, int port) {
    if (port < 0 || port > 65535) return Error{"--port", fmt::format("must be 0 … 65535, got {}", port)};
    if (const int listener = listen_on(port); listener >= 0)
        return FolderServer(std::move(folder), listener, port_of(listener));
    if (errno == EADDRINUSE) {
        const int next = next_free(port);
        return Error{"--port", fmt::format("{} is in use{}", port,
                                           next > 0 ? fmt::format("; {} is free", next) : std::string())};
    }
    return Error{"--port", fmt::format("{} cannot be listened on: {}", port, std::strerror(errno))};
}

FolderServer::FolderServer(std::filesystem::path folder, int listener, int port)
    : folder_(std::move(folder)), listener_(listener), port_(port) {}

FolderServer::FolderServer(FolderServer&& other) noexcept
    : folder_(std::move(other.folder_)),
      listener_(std::exchange(other.listener_, -1)),
      port_(other.port_),
      extra_(std::move(other.extra_)),
      connections_(std::exchange(other.connections_, {})) {}

FolderServer::~FolderServer() {
    for (const Connection& connection : connections_) close(connection.socket);
    if (listener_ >= 0) close(listener_);
}

void FolderServer::add(const std::string& path, std::string type, std::string content) {
    extra_[path] = {200, std::move(type), std::move(content)};
}

void FolderServer::run(const std::atomic<bool>& stop) {
    while (!stop) {
        std::vector<pollfd> waits{{listener_, POLLIN, 0}};
        for (const Connection& c : connections_)
            waits.push_back({c.socket, static_cast<short>(c.answer.empty() ? POLLIN : POLLOUT), 0});
        constexpr int look_again = 200;  // ms: at the time, and at stop
        if (poll(waits.data(), waits.size(), look_again) < 0 && errno != EINTR) return;
        for (std::size_t i = 0; i < connections_.size(); ++i) {
            Connection& connection = connections_[i];
            if (waits[i + 1].revents & (POLLERR | POLLNVAL)) connection.done = true;
            if (connection.done || waits[i + 1].revents == 0) continue;
            if (connection.answer.empty()) receive(connection);
            if (!connection.answer.empty()) send_more(connection);
        }
        close_finished();
        if (waits[0].revents & POLLIN) accept_all();
    }
}

void FolderServer::accept_all() {
    for (;;) {
        const int socket = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (socket < 0) return;
        if (connections_.size() >= most_connections) {  // the one that has waited longest gives way
            close(connections_.front().socket);
            connections_.erase(connections_.begin());
        }
        connections_.push_back({socket, {}, {}, 0, Clock::now() + patience, false});
    }
}

void FolderServer::receive(Connection& connection) {
    std::array<char, 4096> piece;
    const ssize_t count = recv(connection.socket, piece.data(), piece.size(), 0);
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) connection.done = true;
    if (count <= 0) return;
    connection.received.append(piece.data(), static_cast<std::size_t>(count));
    const std::size_t end = connection.received.find("\r\n\r\n");
    if (end == std::string::npos) {
        if (connection.received.size() > longest_request)
            answer(connection, {431, "text/plain; charset=utf-8", "The request is too long.\n"});
        return;
    }
    const auto request = parse_request(std::string_view(connection.received).substr(0, end + 2));
    if (!request) {
        const int status = request.error().path == "405" ? 405 : 400;
        return answer(connection, {status, "text/plain; charset=utf-8", request.error().message + "\n"});
    }
    answer(connection, respond(*request), request->head);
}

// Under another name, a page of someone else could have led here.
Response FolderServer::respond(const Request& request) const {
    if (request.host != "127.0.0.1" && request.host != "localhost")
        return {403, "text/plain; charset=utf-8", "Only 127.0.0.1 and localhost are served.\n"};
    const auto found = extra_.find(request.path);
    return found != extra_.end() ? found->second : read_response(folder_, request);
}

void FolderServer::answer(Connection& connection, const Response& response, bool head) {
    connection.answer = to_text(response, head);
    connection.deadline = Clock::now() + patience;
}

void FolderServer::send_more(Connection& connection) {
    const ssize_t count = send(connection.socket, connection.answer.data() + connection.sent,
                               connection.answer.size() - connection.sent, MSG_NOSIGNAL);
    if (count < 0 && errno != EAGAIN && errno != EINTR) connection.done = true;
    if (count <= 0) return;
    connection.sent += static_cast<std::size_t>(count);
    connection.deadline = Clock::now() + patience;
    if (connection.sent < connection.answer.size()) return;
    shutdown(connection.socket, SHUT_WR);
    connection.done = true;
}

void FolderServer::close_finished() {
    const Clock::time_point now = Clock::now();
    for (Connection& connection : connections_) {
        if (!connection.done && now < connection.deadline) continue;
        close(connection.socket);
        connection.socket = -1;
    }
    std::erase_if(connections_, [](const Connection& c) { return c.socket < 0; });
}

}  // namespace pliant::app
