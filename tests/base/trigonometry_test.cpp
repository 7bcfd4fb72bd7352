#include "base/trigonometry.h"

#include <doctest/doctest.h>

#include <cmath>

#include "base/hash.h"
#include "support/random_source.h"

using namespace pliant;

TEST_CASE("sine and cosine agree with the C library's") {
    test::RandomSource random(1);
    // What the C library is given is itself rounded: by half an ulp of the angle.
    for (int i = 0; i < 20000; ++i) {
        const double turns = i < 10000 ? random.real(-0.5, 0.5) : i / 10000.0 - 1.5;
        const long double angle = 6.283185307179586476925286766559L * static_cast<long double>(turns);
        const auto [sine, cosine] = sine_cosine_of_turns(turns);
        CHECK(std::abs(sine - static_cast<double>(std::sin(angle))) <= 4e-16);
        CHECK(std::abs(cosine - static_cast<double>(std::cos(angle))) <= 4e-16);
        CHECK(std::abs(sine - std::sin(static_cast<double>(angle))) <= 1e-15);
    }
}

TEST_CASE("quarters of a turn are exact, mirror images agree, and whole turns change nothing") {
    const double expected[] = {0, 1, 0, -1};
    for (int i = -8; i <= 8; ++i) {
        const auto [sine, cosine] = sine_cosine_of_turns(0.25 * i);
        CHECK(sine == expected[(i + 8) % 4]);
        CHECK(cosine == expected[(i + 9) % 4]);
    }
    for (int i = 0; i < 1024; ++i) {
        const double turns = i / 1024.0;
        const SineCosine here = sine_cosine_of_turns(turns), mirrored = sine_cosine_of_turns(-turns),
                         later = sine_cosine_of_turns(turns + 37);
        CHECK(mirrored.sine == -here.sine);
        CHECK(mirrored.cosine == here.cosine);
        CHECK(later.sine == here.sine);
        CHECK(later.cosine == here.cosine);
    }
}

TEST_CASE("sines are the same bits on every machine") {
    Hash hash;
    for (int i = 0; i < 5000; ++i) {
        const auto [sine, cosine] = sine_cosine_of_turns(i / 4999.0);
        hash.add(sine);
        hash.add(cosine);
    }
    CHECK(hash.value() == 7711179231008720988u);
}
