#include "output/figures/axis.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "base/format.h"

namespace pliant::output {
namespace {

double power(int exponent) { return std::pow(10.0, exponent); }

// The smallest of 1, 2, 2.5, 5 × 10ⁿ that is not below the given step.
double nice_step(double step, bool whole) {
    const double decade = power(static_cast<int>(std::floor(std::log10(step))));
    for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
        const double nice = factor * decade;
        if (nice >= step * (1 - 1e-9) && !(whole && nice != std::floor(nice))) return nice;
    }
    return whole ? std::max(1.0, 10 * decade) : 10 * decade;
}

int decimals(double step) {
    for (int digits = 0; digits < 12; ++digits) {
        const double scaled = step * power(digits);
        if (std::fabs(scaled - std::round(scaled)) < 1e-6 * scaled) return digits;
    }
    return 12;
}

// A minus of its own length, and none before zero.
std::string label(double value, int digits) {
    const std::string text = fmt::format("{:.{}f}", std::fabs(value), digits);
    const bool zero = text.find_first_not_of("0.") == std::string::npos;
    return value < 0 && !zero ? "−" + text : text;
}

void add_linear_ticks(Axis& axis, bool whole, int most_ticks) {
    const double step = nice_step((axis.high - axis.low) / most_ticks, whole);
    const double largest = std::max(std::fabs(axis.low), std::fabs(axis.high));
    const int magnitude = static_cast<int>(std::floor(std::log10(largest)));
    if (magnitude >= 4 || magnitude <= -3) axis.exponent = 3 * static_cast<int>(std::floor(magnitude / 3.0));
    const double unit = power(axis.exponent);
    const double first = std::ceil(axis.low / step - 1e-9), last = std::floor(axis.high / step + 1e-9);
    for (double i = first; i <= last; ++i) {
        axis.ticks.push_back({i * step, label(i * step / unit, decimals(step / unit))});
    }
}

void add_decades(Axis& axis, int most_ticks) {
    const int first = static_cast<int>(std::lround(std::log10(axis.low)));
    const int last = static_cast<int>(std::lround(std::log10(axis.high)));
    const int stride = 1 + (last - first) / most_ticks;
    for (int exponent = first; exponent <= last; exponent += stride) {
        axis.ticks.push_back({power(exponent), power_of_ten(exponent)});
    }
}

}  // namespace

std::string power_of_ten(int exponent) {
    constexpr std::string_view digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = exponent < 0 ? "10⁻" : "10";
    for (const char c : std::to_string(std::abs(exponent))) text += digits[c - '0'];
    return text;
}

double Axis::share(double value) const {
    const double part = logarithmic ? std::log(std::max(value, low) / low) / std::log(high / low)
                                    : (value - low) / (high - low);
    return std::clamp(part, 0.0, 1.0);
}

Axis make_axis(const std::vector<double>& values, const AxisWishes& wishes, int most_ticks) {
    constexpr double infinity = std::numeric_limits<double>::infinity(), beyond = 1e300;
    double low = infinity, high = -infinity, smallest = infinity;  // smallest: of the positive ones
    for (const double v : values) {
        if (!std::isfinite(v)) continue;
        low = std::min(low, std::clamp(v, -beyond, beyond));
        high = std::max(high, std::clamp(v, -beyond, beyond));
        if (v > 0) smallest = std::min(smallest, v);
    }
    Axis axis;
    if (low > high) low = 0, high = 1;

    // Eight decades at most: below, a value is as good as zero.
    constexpr double decades = 1e8, worth_it = 100;
    if (wishes.logarithmic && low >= 0 && high >= worth_it * smallest) {
        axis.logarithmic = true;
        axis.low =
            power(static_cast<int>(std::floor(std::log10(std::max({smallest, high / decades, 1e-300})))));
        axis.high = power(static_cast<int>(std::ceil(std::log10(high))));
        add_decades(axis, most_ticks);
        return axis;
    }
    if (wishes.from_zero && low > 0) low = 0;
    const double least =
        std::max({wishes.smallest_span, 1e-6 * std::max(std::fabs(low), std::fabs(high)), 1e-290});
    if (high - low < least) {
        const double size = std::fabs(high) > 0 ? 0.1 * std::fabs(high) : 1.0;
        const double wanted = wishes.smallest_span > 0 ? wishes.smallest_span : size;
        const double middle = 0.5 * (low + high);
        const bool upward = wishes.from_zero && low == 0;
        low = upward ? 0 : middle - 0.5 * wanted;
        high = upward ? wanted : middle + 0.5 * wanted;
    }
    const double free = wishes.padding * (high - low);
    axis.low = wishes.from_zero && low == 0 ? 0 : low - free;
    axis.high = high + free;
    add_linear_ticks(axis, wishes.whole_numbers, most_ticks);
    return axis;
}

}  // namespace pliant::output
