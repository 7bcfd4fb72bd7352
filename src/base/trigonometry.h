// Sine and cosine that are the same bits on every machine; the C library's differ in the last one.
#pragma once

#include "base/scalar.h"

namespace pliant {

struct SineCosine {
    double sine, cosine;
};

// Of an angle in turns (1 is all the way round), so that the quarter in which it lies is split off
// without rounding: whole quarters are exact, and mirror images agree. For |turns| < 2^40.
inline SineCosine sine_cosine_of_turns(double turns) {
    const auto quarters = static_cast<long long>(4 * turns + (turns < 0 ? -0.5 : 0.5));
    const double x = (turns - 0.25 * static_cast<double>(quarters)) * 6.283185307179586477;

    // Taylor's series for |x| ≤ π/4; what is left out is below 2e-18.
    const double xx = x * x;
    double sine = 0, cosine = 0;
    for (int n = 16; n >= 2; n -= 2) {
        cosine = xx * (1 - cosine) / (n * (n - 1));
        sine = xx * (1 - sine) / (n * (n + 1));
    }
    sine = x * (1 - sine);
    cosine = 1 - cosine;

    switch (quarters & 3) {
        case 0:
            return {sine, cosine};
        case 1:
            return {cosine, -sine};
        case 2:
            return {-sine, -cosine};
        default:
            return {-cosine, sine};
    }
}

}  // namespace pliant
