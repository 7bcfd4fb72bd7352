// What a person at the terminal sees: colour, progress, and Ctrl-C that ends gently.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace pliant::app {

enum class Style { error, warning, heading };

// In colour if stderr is a terminal that wants it (NO_COLOR is not set), else as it is.
std::string styled(std::string_view text, Style style);

// From now on the first Ctrl-C only sets what interrupted() tells; the second ends the program at once.
void stop_gently_on_interrupt();
bool interrupted();
const std::atomic<bool>& interrupt_flag();  // the same, for those who look at it often

// How far a long work has come, on stderr: a bar on a terminal, a line now and then when piped.
class Progress {
public:
    Progress(std::string what, std::uint64_t total, bool quiet);
    ~Progress();  // ends the bar's line
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // note: a few words, such as "1.2 ms"
    void update(std::uint64_t done, std::string_view note = {});

private:
    using Clock = std::chrono::steady_clock;

    std::string what_;
    std::uint64_t total_;
    bool quiet_, terminal_, shown_ = false;
    Clock::time_point start_ = Clock::now(), last_ = start_;
};

}  // namespace pliant::app
