// FNV-1a over 32-bit words: for comparing states, not for security.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

namespace pliant {

class Hash {
public:
    void add(std::uint32_t word) { value_ = (value_ ^ word) * 0x100000001b3; }
    void add(float number) {
        std::uint32_t word;
        std::memcpy(&word, &number, sizeof(word));
        add(word);
    }
    void add(double number) {
        std::uint64_t word;
        std::memcpy(&word, &number, sizeof(word));
        add(static_cast<std::uint32_t>(word));
        add(static_cast<std::uint32_t>(word >> 32));
    }
    std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace pliant
