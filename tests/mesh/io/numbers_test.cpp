#include "mesh/io/numbers.h"
#include "base/format.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "support/nasty_floats.h"
#include "support/random_source.h"

using namespace pliant;
using namespace pliant::test;

namespace {

float parsed(const std::string& text) {
    float value = 12345;
    const char* const end = text.data() + text.size();
    CAPTURE(text);
    CHECK(mesh::parse_float(text.data(), end, value) == end);
    return value;
}

// The C library rounds correctly, slowly.
void check_against_library(const std::string& text) {
    const float expected = std::strtof(text.c_str(), nullptr), value = parsed(text);
    CAPTURE(text);
    CHECK(bits_of(value) == bits_of(expected));
}

}  // namespace

TEST_CASE("every float comes back from its shortest text") {
    RandomSource random(1);
    for (const float a : nasty_floats()) {
        if (std::isfinite(a)) CHECK(bits_of(parsed(fmt::format("{}", a))) == bits_of(a));
    }
    for (int i = 0; i < 200000; ++i) {
        const float a = any_float(random);
        if (!std::isfinite(a)) continue;
        if (bits_of(parsed(fmt::format("{}", a))) != bits_of(a)) FAIL(a);
    }
}

TEST_CASE("decimal numbers are rounded once, to the nearest float") {
    RandomSource random(2);
    // Digits and exponents of any length.
    for (int i = 0; i < 20000; ++i) {
        std::string text = random.chance(0.5) ? "-" : "";
        for (std::size_t k = random.below(12) + 1; k > 0; --k)
            text += static_cast<char>('0' + random.below(10));
        if (random.chance(0.7)) {
            text += '.';
            for (std::size_t k = random.below(25); k > 0; --k)
                text += static_cast<char>('0' + random.below(10));
        }
        if (random.chance(0.5)) text += fmt::format("e{}", static_cast<int>(random.below(110)) - 60);
        check_against_library(text);
    }
    // Halfway between two floats, and a hair to either side.
    for (int i = 0; i < 5000; ++i) {
        const float a = std::abs(float_of(static_cast<std::uint32_t>(random.bits()) % 0x7f000000));
        const double middle = (static_cast<double>(a) + std::nextafter(a, INFINITY)) / 2;
        std::string text = fmt::format("{:.60f}", middle);
        if (text.size() > 60 && a < 1e-10f) text = fmt::format("{:.120e}", middle);
        check_against_library(text);
        const std::size_t e = text.find('e');
        const std::string tail = e == std::string::npos ? "" : text.substr(e);
        check_against_library(text.substr(0, e) + "00000000000000000001" + tail);
    }
    for (const char* text : {"16777217",
                             "16777217.0000000000000000000000000000001",
                             "0.1e1",
                             ".5",
                             "5.",
                             "1E5",
                             "+7",
                             "1e-45",
                             "7e-46",
                             "7.1e-46",
                             "3.4028235e38",
                             "3.4028236e38",
                             "1e39",
                             "1e-400",
                             "0e999999999999999999999",
                             "1e999999999999999999999",
                             "0.000000000000000000000000001",
                             "123456789012345678901234567890",
                             "9007199254740993",
                             "-0",
                             "00000000000000000000001"}) {
        check_against_library(text);
    }
}

TEST_CASE("what is not a number is not taken for one") {
    float value = 0;
    std::int64_t integer = 0;
    const auto length = [&](std::string_view text) {
        const char* end = mesh::parse_float(text.data(), text.data() + text.size(), value);
        return end == nullptr ? -1 : static_cast<int>(end - text.data());
    };
    for (const char* text : {"", "-", ".", "e5", "abc", "--1", "+-1", "in", "na"}) {
        CAPTURE(text);
        CHECK(length(text) == -1);
    }
    CHECK(length("1e") == 1);
    CHECK(length("1.5e+x") == 3);
    CHECK(length("1,5") == 1);
    CHECK(length("NaN") == 3);
    CHECK(std::isnan(value));
    CHECK(length("-Infinity") == 9);
    CHECK(value == -INFINITY);
    const std::string_view large = "99999999999999999999999";
    CHECK(mesh::parse_integer(large.data(), large.data() + large.size(), integer) ==
          large.data() + large.size());
    CHECK(integer == INT64_MAX);
    CHECK(mesh::parse_integer(large.data(), large.data(), integer) == nullptr);
}
