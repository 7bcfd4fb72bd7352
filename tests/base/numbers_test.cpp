// Roots, hashes, and the floating-point environment.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "base/aligned.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/roots.h"
#include "support/random_source.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace pliant;
using test::RandomSource;

TEST_CASE("nth roots agree with the C library's power") {
    RandomSource random(2);
    for (const int n : {1, 2, 3, 4, 5, 7, 10, 16, 40, 100, 1000}) {
        for (int i = 0; i < 50; ++i) {
            const double a = i % 2 ? random.share() : random.magnitude(1e-12, 1);
            CAPTURE(n);
            CAPTURE(a);
            const double expected = std::pow(a, 1.0 / n);
            CHECK(std::fabs(nth_root(a, n) - expected) <= 2e-14 * expected);
        }
    }
}

TEST_CASE("nth roots are exact where the answer is simple") {
    for (const int n : {1, 2, 3, 10, 1000, 100000}) {
        CAPTURE(n);
        CHECK(nth_root(0, n) == 0);
        CHECK(nth_root(1, n) == 1);
        CHECK(nth_root(-1e-9, n) == 0);  // a rounding error below zero
    }
    CHECK(nth_root(0.3, 1) == 0.3);
    CHECK(nth_root(0.25, 2) == 0.5);
    CHECK(nth_root(0.0625, 2) == 0.25);
    CHECK(nth_root(0.0625, 4) == 0.5);
    CHECK(nth_root(0.125, 3) == 0.5);
}

TEST_CASE("nth roots end for the smallest and for nearly 1") {
    for (const int n : {2, 3, 64}) {
        for (const double a : {5e-324, 1e-300, 1e-100, 1 - 1e-16, 1 - 1e-9}) {
            CAPTURE(n);
            CAPTURE(a);
            CHECK(nth_root(a, n) == doctest::Approx(std::pow(a, 1.0 / n)).epsilon(1e-12));
        }
    }
}

TEST_CASE("the share per part leaves the share of the whole when applied that often") {
    for (const double k : {0.0, 0.1, 0.5, 0.9, 0.999, 1.0}) {
        for (const int n : {1, 2, 10, 100}) {
            double left = 1;
            for (int i = 0; i < n; ++i) left *= 1 - share_per_part(k, n);
            CHECK(left == doctest::Approx(1 - k).epsilon(1e-12));
        }
    }
}

TEST_CASE("a hash is FNV-1a over 32-bit words") {
    const auto next = [](std::uint64_t hash, std::uint32_t word) { return (hash ^ word) * 1099511628211u; };
    constexpr std::uint64_t empty = 14695981039346656037u;
    Hash hash;
    CHECK(hash.value() == empty);
    hash.add(std::uint32_t(0xdeadbeef));
    CHECK(hash.value() == next(empty, 0xdeadbeef));
    hash.add(1.0f);
    CHECK(hash.value() == next(next(empty, 0xdeadbeef), 0x3f800000));
    Hash of_double;
    of_double.add(-2.0);  // low word first
    CHECK(of_double.value() == next(next(empty, 0), 0xc0000000));
}

TEST_CASE("a hash tells apart order, signs of zero and a change in the last bit") {
    const auto hash_of = [](std::vector<float> numbers) {
        Hash hash;
        for (const float a : numbers) hash.add(a);
        return hash.value();
    };
    CHECK(hash_of({1, 2}) == hash_of({1, 2}));
    CHECK(hash_of({1, 2}) != hash_of({2, 1}));
    CHECK(hash_of({0.0f}) != hash_of({-0.0f}));
    CHECK(hash_of({1}) != hash_of({std::nextafter(1.0f, 2.0f)}));
    CHECK(hash_of({0}) != hash_of({0, 0}));
}

TEST_CASE("aligned vectors start on a cache line") {
    for (std::size_t size = 1; size < 200; size += 13) {
        const AlignedVector<float> numbers(size);
        CHECK(reinterpret_cast<std::uintptr_t>(numbers.data()) % 64 == 0);
    }
}

#if defined(__x86_64__)

TEST_CASE("standard floating point holds while it lives, and then what was set before returns") {
    const unsigned before = _mm_getcsr();
    constexpr unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x0040, round_up = 0x4000;
    const unsigned odd = 0x1f80 | flush_to_zero | denormals_are_zero | round_up;
    _mm_setcsr(odd);
    unsigned inside = 0, nested = 0, between = 0;
    volatile float tiny = std::numeric_limits<float>::denorm_min(), product = 0;
    {
        const StandardFloatingPoint outer;
        inside = _mm_getcsr();
        product = tiny * 1.0f;
        {
            const StandardFloatingPoint inner;
            nested = _mm_getcsr();
        }
        between = _mm_getcsr();
    }
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    constexpr unsigned flags = 0x3f;  // exceptions that have occurred
    CHECK((inside & ~flags) == 0x1f80);
    CHECK((nested & ~flags) == 0x1f80);
    CHECK((between & ~flags) == 0x1f80);
    CHECK((after & ~flags) == odd);
    CHECK(product == std::numeric_limits<float>::denorm_min());
}

TEST_CASE("every thread of an executor computes in standard floating point, whatever its maker had set") {
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040);
    std::vector<unsigned> seen(200, 0);
    {
        // As a step does it.
        Executor executor(4, {});
        const StandardFloatingPoint floating_point;
        executor.for_each(seen.size(), [&](std::size_t i) { seen[i] = _mm_getcsr(); });
    }
    _mm_setcsr(before);
    for (const unsigned csr : seen) CHECK((csr & ~0x3fu) == 0x1f80);
}

#endif
