// A decimal number m · 10^e with m ≤ 2⁵³ and |e| ≤ 22 is one rounding away from its double, because both m
// and 10^|e| are doubles (Clinger, How to read floating point numbers accurately, 1990). From there to float
// is a second rounding, which can only go wrong when the double lies halfway between two floats: those
// cases, and all other numbers, take the library's slow and exact way.
#include "mesh/io/numbers.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <version>

namespace pliant::mesh {
namespace {

constexpr double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool halfway_between_floats(double value) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return (bits & 0x1fffffff) == 0x10000000;
}

// [from, to) is a number without a sign. order: where its first digit stands, a power of ten.
float parse_exactly(const char* from, const char* to, std::int64_t order) {
    float value = 0;
#ifdef __cpp_lib_to_chars
    if (std::from_chars(from, to, value).ec == std::errc::result_out_of_range) {
        value = order > 0 ? std::numeric_limits<float>::infinity() : 0;
    }
#else
    // Emscripten's C library, where from_chars knows no floats, has a decimal point in every locale.
    static_cast<void>(order);
    value = std::strtof(std::string(from, to).c_str(), nullptr);
#endif
    return value;
}

const char* parse_word(const char* at, const char* end, std::string_view word) {
    if (static_cast<std::size_t>(end - at) < word.size()) return nullptr;
    for (std::size_t i = 0; i < word.size(); ++i) {
        if ((at[i] | 0x20) != word[i]) return nullptr;
    }
    return at + word.size();
}

const char* parse_not_finite(const char* at, const char* end, float& value) {
    for (const std::string_view word : {"infinity", "inf", "nan"}) {
        if (const char* after = parse_word(at, end, word)) {
            value = word == "nan" ? std::numeric_limits<float>::quiet_NaN()
                                  : std::numeric_limits<float>::infinity();
            return after;
        }
    }
    return nullptr;
}

struct Decimal {
    std::uint64_t mantissa = 0;
    std::int64_t exponent = 0;
    int digits = 0;     // of the mantissa, without leading zeros
    bool any = false;   // a digit, be it 0
    bool more = false;  // than the mantissa could hold
};

const char* parse_digits(const char* at, const char* end, Decimal& decimal, bool fraction) {
    for (; at < end && is_digit(*at); ++at) {
        decimal.any = true;
        if (decimal.digits < 19) {
            decimal.mantissa = 10 * decimal.mantissa + static_cast<std::uint64_t>(*at - '0');
            decimal.digits += decimal.mantissa != 0;
            decimal.exponent -= fraction;
        } else {
            decimal.more = true;
            decimal.exponent += !fraction;
        }
    }
    return at;
}

// An e that no number follows is not part of the number.
const char* parse_exponent(const char* at, const char* end, Decimal& decimal) {
    if (at == end || (*at != 'e' && *at != 'E')) return at;
    const char* digit = at + 1;
    const bool negative = digit < end && *digit == '-';
    if (digit < end && (*digit == '-' || *digit == '+')) ++digit;
    if (digit == end || !is_digit(*digit)) return at;
    std::int64_t exponent = 0;
    for (; digit < end && is_digit(*digit); ++digit) {
        exponent = std::min<std::int64_t>(10 * exponent + (*digit - '0'), std::int64_t{1} << 50);
    }
    decimal.exponent += negative ? -exponent : exponent;
    return digit;
}

}  // namespace

const char* parse_float(const char* at, const char* end, float& value) {
    const bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) ++at;
    const char* const first = at;

    Decimal decimal;
    at = parse_digits(at, end, decimal, false);
    if (at < end && *at == '.') at = parse_digits(at + 1, end, decimal, true);
    if (!decimal.any) {
        at = parse_not_finite(first, end, value);
        if (at != nullptr && negative) value = -value;
        return at;
    }
    at = parse_exponent(at, end, decimal);

    const std::int64_t e = decimal.exponent;
    double fast = 0;
    bool exact = true;
    if (decimal.mantissa != 0) {
        exact = !decimal.more && decimal.mantissa <= std::uint64_t{1} << 53 && e >= -22 && e <= 22;
        if (exact) {
            const auto mantissa = static_cast<double>(decimal.mantissa);
            fast = e < 0 ? mantissa / powers_of_ten[-e] : mantissa * powers_of_ten[e];
            exact = !halfway_between_floats(fast);
        }
    }
    value = exact ? static_cast<float>(fast) : parse_exactly(first, at, decimal.digits + e);
    if (negative) value = -value;
    return at;
}

const char* parse_integer(const char* at, const char* end, std::int64_t& value) {
    const bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) ++at;
    if (at == end || !is_digit(*at)) return nullptr;
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    value = 0;
    for (; at < end && is_digit(*at); ++at) {
        const std::int64_t digit = *at - '0';
        value = value > (most - digit) / 10 ? most : 10 * value + digit;
    }
    if (negative) value = -value;
    return at;
}

}  // namespace pliant::mesh
