#include "output/video/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/format.h"

extern char** environ;  // NOLINT: POSIX declares it nowhere

namespace pliant::output {
namespace {

std::string words(int code) { return std::generic_category().message(code); }

// Keeps this thread from the signal that comes with writing to a program that has ended; its other threads,
// and what the user of the library does about signals, stay as they are.
class WithoutPipeSignal {
public:
    WithoutPipeSignal() {
        sigemptyset(&pipe_);
        sigaddset(&pipe_, SIGPIPE);
        sigset_t pending;
        sigpending(&pending);
        was_pending_ = sigismember(&pending, SIGPIPE) == 1;
        pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
    }
    ~WithoutPipeSignal() {
        const int code = errno;
        const timespec at_once{};
        while (!was_pending_ && sigtimedwait(&pipe_, nullptr, &at_once) == SIGPIPE) {
        }
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
        errno = code;
    }
    WithoutPipeSignal(const WithoutPipeSignal&) = delete;
    WithoutPipeSignal& operator=(const WithoutPipeSignal&) = delete;

private:
    sigset_t pipe_{}, before_{};
    bool was_pending_ = false;
};

// What the child starts with: our pipe as its input, no output, no signals blocked, a group of its own.
struct SpawnSettings {
    SpawnSettings(int input, int errors) {
        posix_spawn_file_actions_init(&files);
        posix_spawn_file_actions_adddup2(&files, input, 0);
        posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_adddup2(&files, errors, 2);
        posix_spawnattr_init(&attributes);
        sigset_t none, usual;
        sigemptyset(&none);
        sigemptyset(&usual);
        sigaddset(&usual, SIGPIPE);
        sigaddset(&usual, SIGINT);
        sigaddset(&usual, SIGTERM);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &usual);
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawnattr_setflags(&attributes,
                                 POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    }
    ~SpawnSettings() {
        posix_spawn_file_actions_destroy(&files);
        posix_spawnattr_destroy(&attributes);
    }
    SpawnSettings(const SpawnSettings&) = delete;
    SpawnSettings& operator=(const SpawnSettings&) = delete;

    posix_spawn_file_actions_t files{};
    posix_spawnattr_t attributes{};
};

int wait_for(int id) {
    int status = 0;
    while (waitpid(id, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

}  // namespace

std::optional<std::filesystem::path> find_program(const std::string& name) {
    const char* variable = std::getenv("PATH");
    std::string_view rest = variable != nullptr ? variable : "";
    while (!rest.empty()) {
        const std::size_t end = rest.find(':');
        const std::filesystem::path candidate = std::filesystem::path(rest.substr(0, end)) / name;
        std::error_code ignored;
        if (std::filesystem::is_regular_file(candidate, ignored) && access(candidate.c_str(), X_OK) == 0) {
            return candidate;
        }
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    return std::nullopt;
}

Result<Process> Process::start(const std::vector<std::string>& arguments) {
    Process process;
    process.name_ = std::filesystem::path(arguments[0]).filename().string();
    process.errors_ = std::tmpfile();
    std::array<int, 2> ends{-1, -1};
    if (process.errors_ == nullptr || pipe2(ends.data(), O_CLOEXEC) != 0) {
        return Error{process.name_, "cannot be started: " + words(errno)};
    }
    std::vector<char*> values;
    for (const std::string& argument : arguments) values.push_back(const_cast<char*>(argument.c_str()));
    values.push_back(nullptr);
    const SpawnSettings settings(ends[0], fileno(process.errors_));
    pid_t id = 0;
    const int code =
        posix_spawn(&id, values[0], &settings.files, &settings.attributes, values.data(), environ);
    close(ends[0]);
    process.input_ = ends[1];
    if (code != 0) return Error{process.name_, "cannot be started: " + words(code)};
    process.id_ = id;
    return process;
}

Process::Process(Process&& other) noexcept { *this = std::move(other); }

Process& Process::operator=(Process&& other) noexcept {
    std::swap(name_, other.name_);
    std::swap(id_, other.id_);
    std::swap(input_, other.input_);
    std::swap(errors_, other.errors_);
    return *this;
}

Process::~Process() {
    if (input_ >= 0) close(input_);
    if (id_ > 0) {
        kill(id_, SIGKILL);
        wait_for(id_);
    }
    if (errors_ != nullptr) std::fclose(errors_);
}

Status Process::write(std::span<const std::uint8_t> bytes) {
    const WithoutPipeSignal quiet;
    while (!bytes.empty()) {
        const ssize_t written = ::write(input_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) {
            if (errno != EPIPE) return failure(words(errno));
            const Status ended = finish();  // knows more
            return ended ? Status{failure("ended before it had read everything")} : ended;
        }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return {};
}

Status Process::finish() {
    if (input_ >= 0) close(std::exchange(input_, -1));
    if (id_ == 0) return failure("does not run");
    const int status = wait_for(std::exchange(id_, 0));
    if (WIFSIGNALED(status)) return failure(fmt::format("was ended by signal {}", WTERMSIG(status)));
    if (WEXITSTATUS(status) != 0) return failure(fmt::format("failed with code {}", WEXITSTATUS(status)));
    return {};
}

Error Process::failure(const std::string& how) const {
    std::string said;
    std::array<char, 4096> buffer{};
    std::rewind(errors_);
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), errors_)) {
        said.append(buffer.data(), count);
        if (said.size() > 1 << 16) break;
    }
    // The first line is the cause, what follows are its consequences.
    said = said.substr(0, said.find('\n'));
    return {name_, said.empty() ? how : fmt::format("{}: {}", how, said)};
}

}  // namespace pliant::output
