// An axis of a plot: what range it shows, where its ticks are and how they are called.
#pragma once

#include <string>
#include <vector>

namespace pliant::output {

struct Tick {
    double value = 0;
    std::string label;
};

struct Axis {
    double low = 0, high = 1;
    bool logarithmic = false;
    int exponent = 0;  // labels count powers of ten with this exponent
    std::vector<Tick> ticks;

    // 0 at low, 1 at high; what lies outside comes to the nearest end.
    double share(double value) const;
};

struct AxisWishes {
    bool logarithmic = false;    // if values span two decades
    bool from_zero = false;      // unless there are negative values
    bool whole_numbers = false;  // no ticks between
    double smallest_span = 0;    // what differs less looks constant
    double padding = 0.05;       // share of the span that is left free above and below
};

// Only finite values count; without any, the axis goes from 0 to 1.
Axis make_axis(const std::vector<double>& values, const AxisWishes& wishes, int most_ticks);

// "10⁻³"
std::string power_of_ten(int exponent);

}  // namespace pliant::output
