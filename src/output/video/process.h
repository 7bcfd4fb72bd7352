// Another program, run without a shell, that reads what we write to it.
#pragma once

#include <pliant/error.h>

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pliant::output {

// Where a program is, looked up as a shell would in PATH.
std::optional<std::filesystem::path> find_program(const std::string& name);

class Process {
public:
    // arguments[0] is the program's file. Signals of the terminal do not reach it.
    static Result<Process> start(const std::vector<std::string>& arguments);

    Process(Process&& other) noexcept;
    Process& operator=(Process&& other) noexcept;
    ~Process();  // ends it if it still runs

    int id() const { return id_; }

    // All of it, to the program's input. A program that has ended gives an error here, never a signal.
    Status write(std::span<const std::uint8_t> bytes);

    // Ends its input and waits for it. An error says how it failed, in its own words if it left any.
    Status finish();

private:
    Process() = default;
    Error failure(const std::string& how) const;

    std::string name_;
    int id_ = 0;                   // 0: not running
    int input_ = -1;               // -1: closed
    std::FILE* errors_ = nullptr;  // what it writes to its standard error
};

}  // namespace pliant::output
