// Four lanes do in each lane what one float does. This file is compiled for the machine's basic
// instruction set; tests/solvers/position_based compares the wider ones through the kernels.
#define PLIANT_TARGET lanes_under_test  // a namespace of its own
#include "base/lanes.h"
#include "base/unroll.h"

#include <doctest/doctest.h>

#include <array>
#include <type_traits>
#include <vector>

#include "base/scalar.h"
#include "support/lane_widths.h"
#include "support/nasty_floats.h"

using namespace pliant;
using namespace pliant::test;
namespace lanes = pliant::lanes_under_test;
using lanes::Lane;
using lanes::Mask;

namespace {

// Pairs of nasty and of random numbers, N at a time.
template <int N, class F>
void for_pairs(F&& f) {
    std::vector<float> a, b;
    for (const float x : nasty_floats()) {
        for (const float y : nasty_floats()) {
            a.push_back(x);
            b.push_back(y);
        }
    }
    RandomSource random(3);
    for (int i = 0; i < 2048; ++i) {
        a.push_back(any_float(random));
        b.push_back(any_float(random));
    }
    for (std::size_t i = 0; i + N <= a.size(); i += N) f(a.data() + i, b.data() + i);
}

// lane_operation on N pairs at a time against scalar_operation on one pair.
template <class LaneOperation, class ScalarOperation>
void check_operation(LaneOperation lane_operation, ScalarOperation scalar_operation) {
    for_every_width([&](auto width) {
        constexpr int n = width();
        std::size_t wrong = 0;
        for_pairs<n>([&](const float* a, const float* b) {
            float result[n];
            lanes::store<n>(result, lane_operation(lanes::load<n>(a), lanes::load<n>(b)));
            for (int i = 0; i < n; ++i) wrong += !same_number(result[i], scalar_operation(a[i], b[i]));
        });
        CHECK(wrong == 0);
    });
}

// A mask shown as 1 and 0.
template <int N>
Lane<N> shown(Mask<N> mask) {
    return lanes::select(mask, Lane<N>(1.0f), Lane<N>(0.0f));
}

}  // namespace

TEST_CASE("lanes add, subtract, multiply and divide as one float does") {
    check_operation([](auto a, auto b) { return a + b; }, [](float a, float b) { return a + b; });
    check_operation([](auto a, auto b) { return a - b; }, [](float a, float b) { return a - b; });
    check_operation([](auto a, auto b) { return a * b; }, [](float a, float b) { return a * b; });
    check_operation([](auto a, auto b) { return a / b; }, [](float a, float b) { return a / b; });
}

TEST_CASE("lanes negate, take absolute values and roots as one float does") {
    check_operation([](auto a, auto) { return -a; }, [](float a, float) { return -a; });
    check_operation([](auto a, auto) { return lanes::abs(a); }, [](float a, float) { return std::fabs(a); });
    check_operation([](auto a, auto) { return lanes::sqrt(a); }, [](float a, float) { return std::sqrt(a); });
}

TEST_CASE("lanes compare as one float does, NaN included") {
    check_operation([](auto a, auto b) { return shown(a < b); },
                    [](float a, float b) { return a < b ? 1.0f : 0.0f; });
    check_operation([](auto a, auto b) { return shown(a > b); },
                    [](float a, float b) { return a > b ? 1.0f : 0.0f; });
    check_operation([](auto a, auto b) { return shown(a <= b); },
                    [](float a, float b) { return a <= b ? 1.0f : 0.0f; });
    check_operation([](auto a, auto b) { return shown(a >= b); },
                    [](float a, float b) { return a >= b ? 1.0f : 0.0f; });
}

TEST_CASE("masks of lanes combine as truth values do") {
    check_operation([](auto a, auto b) { return shown((a < b) & (a > decltype(a)(0.0f))); },
                    [](float a, float b) { return a < b && a > 0 ? 1.0f : 0.0f; });
    check_operation([](auto a, auto b) { return shown((a < b) | (a > decltype(a)(0.0f))); },
                    [](float a, float b) { return a < b || a > 0 ? 1.0f : 0.0f; });
    check_operation([](auto a, auto b) { return shown(!(a < b)); },
                    [](float a, float b) { return a < b ? 0.0f : 1.0f; });
}

TEST_CASE("the larger and the smaller of lanes are those of MAXPS and MINPS, NaN and signed zeros included") {
    check_operation([](auto a, auto b) { return lanes::max(a, b); },
                    [](float a, float b) { return pliant::max(a, b); });
    check_operation([](auto a, auto b) { return lanes::min(a, b); },
                    [](float a, float b) { return pliant::min(a, b); });
    CHECK(bits_of(pliant::max(0.0f, -0.0f)) == bits_of(-0.0f));
    CHECK(bits_of(pliant::max(-0.0f, 0.0f)) == bits_of(0.0f));
    CHECK(pliant::max(std::nanf(""), 1.0f) == 1.0f);
    CHECK(std::isnan(pliant::max(1.0f, std::nanf(""))));
}

TEST_CASE("lanes divide or give zero as one float does") {
    check_operation([](auto a, auto b) { return lanes::divide_or_zero(a, b); },
                    [](float a, float b) { return pliant::divide_or_zero(a, b); });
}

TEST_CASE("a division without a reasonable result gives zero") {
    constexpr float inf = std::numeric_limits<float>::infinity(),
                    nan = std::numeric_limits<float>::quiet_NaN();
    CHECK(divide_or_zero(6.0f, 3.0f) == 2.0f);
    CHECK(divide_or_zero(6.0f, -3.0f) == -2.0f);
    CHECK(divide_or_zero(1.0, 8.0) == 0.125);
    CHECK(divide_or_zero(0.0f, 5.0f) == 0.0f);
    for (const float a : {0.0f, 1.0f, -1.0f, inf, -inf, nan}) {
        CAPTURE(a);
        CHECK(bits_of(divide_or_zero(a, 0.0f)) == 0);
        CHECK(bits_of(divide_or_zero(a, -0.0f)) == 0);
        CHECK(bits_of(divide_or_zero(a, nan)) == 0);
        CHECK(bits_of(divide_or_zero(nan, a)) == 0);
    }
    CHECK(divide_or_zero(inf, inf) == 0.0f);
    CHECK(divide_or_zero(1e20f, 1e-20f) == 0.0f);  // would overflow
    CHECK(divide_or_zero(1.0f, inf) == 0.0f);
    RandomSource random(4);
    std::size_t wrong = 0;
    for (int i = 0; i < 10000; ++i) {
        const float quotient = divide_or_zero(any_float(random), any_float(random));
        wrong += !(std::fabs(quotient) <= 1.0001e30f);  // also false for NaN
    }
    CHECK(wrong == 0);
}

TEST_CASE("a number is spread over all lanes") {
    for_every_width([](auto width) {
        constexpr int n = width();
        for (const float a : nasty_floats()) {
            float result[n];
            lanes::store<n>(result, Lane<n>(a));
            for (const float r : result) CHECK(same_number(r, a));
        }
    });
}

TEST_CASE("any finds a single true lane") {
    for_every_width([](auto width) {
        constexpr int n = width();
        float a[n] = {};
        CHECK(!lanes::any(lanes::load<n>(a) > Lane<n>(0.0f)));
        for (float& one : a) {
            one = 1;
            CHECK(lanes::any(lanes::load<n>(a) > Lane<n>(0.0f)));
            one = 0;
        }
        CHECK(lanes::any(lanes::load<n>(a) <= Lane<n>(0.0f)));
    });
}

TEST_CASE("sums over constant indices are balanced trees") {
    CHECK(sum_over<1>([](auto i) { return int(i) + 5; }) == 5);
    CHECK(sum_over<4>([](auto i) { return 1 << int(i); }) == 15);
    // (a + b) + (c + d), not ((a + b) + c) + d
    const float terms[] = {1, 1e8f, -1e8f, 1};
    CHECK(sum_over<4>([&](auto i) { return terms[int(i)]; }) ==
          (terms[0] + terms[1]) + (terms[2] + terms[3]));
    int visited = 0;
    unroll<5>([&](auto i) { visited = visited * 10 + int(i); });
    CHECK(visited == 1234);
}
