#include "pliant/terminal.h"

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include <unistd.h>

#include "base/format.h"

namespace pliant::app {
namespace {

std::atomic<bool> interrupt_seen = false;  // signals have nowhere else to write to

bool stderr_is_terminal() { return isatty(STDERR_FILENO) != 0; }

std::string duration(double seconds) {
    const auto whole = static_cast<long>(seconds + 0.5);
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
    return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

}  // namespace

std::string styled(std::string_view text, Style style) {
    static const bool colour = stderr_is_terminal() && std::getenv("NO_COLOR") == nullptr;
    if (!colour) return std::string(text);
    const int code = style == Style::error ? 31 : style == Style::warning ? 33 : 36;
    return fmt::format("\x1b[1;{}m{}\x1b[0m", code, text);
}

void stop_gently_on_interrupt() {
    struct sigaction action {};
    action.sa_handler = [](int) { interrupt_seen = true; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return interrupt_seen; }
const std::atomic<bool>& interrupt_flag() { return interrupt_seen; }

Progress::Progress(std::string what, std::uint64_t total, bool quiet)
    : what_(std::move(what)),
      total_(std::max<std::uint64_t>(total, 1)),
      quiet_(quiet),
      terminal_(stderr_is_terminal()) {}

Progress::~Progress() {
    if (terminal_ && shown_) fmt::print(stderr, "\r\x1b[K");
}

void Progress::update(std::uint64_t done, std::string_view note) {
    if (quiet_) return;
    const auto now = Clock::now();
    const std::chrono::duration<double> pause(terminal_ ? 0.1 : 5.0);
    if (now - last_ < pause && done < total_) return;
    if (done >= total_ && !shown_ && now - start_ < pause) return;  // too short to tell
    last_ = now;
    shown_ = true;

    const double elapsed = std::chrono::duration<double>(now - start_).count();
    const double left =
        done == 0 ? 0 : elapsed * static_cast<double>(total_ - done) / static_cast<double>(done);
    const std::string rest = done == 0 ? "" : fmt::format(", {} left", duration(left));
    const std::string words = note.empty() ? "" : fmt::format(", {}", note);
    if (terminal_) {
        constexpr std::size_t width = 30;
        const std::size_t full = std::min(width, static_cast<std::size_t>(done * width / total_));
        fmt::print(stderr, "\r\x1b[K{} [{}{}] {}/{}{}{}", what_, std::string(full, '#'),
                   std::string(width - full, '.'), done, total_, words, rest);
    } else {
        fmt::print(stderr, "{} {}/{}{}{}\n", what_, done, total_, words, rest);
    }
    std::fflush(stderr);
}

}  // namespace pliant::app
