// SplitMix64: the same numbers on every machine.
#pragma once

#include <cstdint>

namespace pliant {

class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    double operator()() {  // in [0, 1)
        state_ += 0x9e3779b97f4a7c15u;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
    }

private:
    std::uint64_t state_;
};

}  // namespace pliant
