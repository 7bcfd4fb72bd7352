// The floats on which implementations differ, if they do.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "support/random_source.h"

namespace pliant::test {

inline std::uint32_t bits_of(float a) {
    std::uint32_t bits;
    std::memcpy(&bits, &a, sizeof(bits));
    return bits;
}
inline float float_of(std::uint32_t bits) {
    float a;
    std::memcpy(&a, &bits, sizeof(a));
    return a;
}

// Bit by bit; but any NaN equals any other, since hardware may choose which one it hands on.
inline bool same_number(float a, float b) {
    return bits_of(a) == bits_of(b) || (std::isnan(a) && std::isnan(b));
}

inline std::vector<float> nasty_floats() {
    using Limits = std::numeric_limits<float>;
    std::vector<float> all;
    for (const float a :
         {0.0f, 1.0f, 0.1f, 3.0f, 1e-20f, 1e20f, 1e30f, 1.0000001f, 0.99999994f, 16777216.0f, Limits::min(),
          Limits::denorm_min(), 1e-40f, Limits::max(), Limits::infinity(), Limits::quiet_NaN()}) {
        all.push_back(a);
        all.push_back(-a);
    }
    return all;
}

// Any bits: every exponent is as likely as any other.
inline float any_float(RandomSource& random) { return float_of(static_cast<std::uint32_t>(random.bits())); }

}  // namespace pliant::test
