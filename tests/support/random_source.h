// Random numbers that are the same with every compiler and library (the standard's distributions are
// not).
#pragma once

#include <pliant/vector.h>

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace pliant::test {

class RandomSource {
public:
    explicit RandomSource(std::uint64_t seed) : state_(seed) {}

    // splitmix64
    std::uint64_t bits() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        return z ^ z >> 31;
    }
    // In [0, 1).
    double share() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
    double real(double low, double high) { return low + (high - low) * share(); }
    float real_float(double low, double high) { return static_cast<float>(real(low, high)); }
    // Every order of magnitude alike.
    double magnitude(double low, double high) { return low * std::pow(high / low, share()); }
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(bits() % count); }
    std::uint32_t index(std::size_t count) { return static_cast<std::uint32_t>(below(count)); }
    bool chance(double probability) { return share() < probability; }
    // In a cube of half edge `half`.
    Vec3d point(double half = 1) {
        const double x = real(-half, half), y = real(-half, half), z = real(-half, half);
        return {x, y, z};
    }
    Vec3 point_float(double half = 1) {
        const Vec3d p = point(half);
        return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
    }

private:
    std::uint64_t state_;
};

}  // namespace pliant::test
