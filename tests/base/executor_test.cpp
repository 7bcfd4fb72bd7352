#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "base/parallel.h"

using namespace pliant;

namespace {

// How often each item ran.
std::vector<int> runs_of(Executor& executor, std::size_t count) {
    std::vector<std::atomic<int>> runs(count);
    executor.for_each(count, [&](std::size_t i) { runs.at(i).fetch_add(1); });
    std::vector<int> result;
    for (const auto& r : runs) result.push_back(r.load());
    return result;
}

}  // namespace

TEST_CASE("an executor runs every item exactly once, at any number of threads and items") {
    for (const int threads : {1, 2, 5, 16}) {
        Executor executor(threads, {});
        CHECK(executor.threads() == threads);
        for (int round = 0; round < 20; ++round) {
            for (const std::size_t count : {0, 1, 2, 7, 1000}) {
                CAPTURE(threads);
                CAPTURE(count);
                CHECK(runs_of(executor, count) == std::vector<int>(count, 1));
            }
        }
    }
}

TEST_CASE("an executor has finished all items of a phase when it returns") {
    Executor executor(5, {});
    std::vector<std::uint64_t> values(500, 1);
    // Each phase reads what others wrote in the phase before.
    for (int phase = 0; phase < 200; ++phase) {
        std::vector<std::uint64_t> next(values.size());
        executor.for_each(values.size(), [&](std::size_t i) {
            next[i] = values[i] * 3 + values[(i * 7 + 1) % values.size()];
        });
        values = std::move(next);
    }
    std::vector<std::uint64_t> expected(values.size(), 1);
    for (int phase = 0; phase < 200; ++phase) {
        std::vector<std::uint64_t> next(expected.size());
        for (std::size_t i = 0; i < next.size(); ++i)
            next[i] = expected[i] * 3 + expected[(i * 7 + 1) % expected.size()];
        expected = std::move(next);
    }
    CHECK(values == expected);
}

TEST_CASE("an executor survives 20,000 short phases of changing size") {
    for (const int threads : {2, 5}) {
        CAPTURE(threads);
        Executor executor(threads, {});
        std::vector<std::uint32_t> runs(17, 0), expected(17, 0);
        for (std::uint32_t phase = 0; phase < 10000; ++phase) {
            const std::size_t count = phase % (runs.size() + 1);
            // Not atomic: each item belongs to one thread, and phases follow each other.
            executor.for_each(count, [&](std::size_t i) { runs[i] += 1 + phase % 3; });
            for (std::size_t i = 0; i < count; ++i) expected[i] += 1 + phase % 3;
        }
        CHECK(runs == expected);
    }
}

TEST_CASE("executors can be made and ended quickly, used or not, and moved") {
    for (int i = 0; i < 50; ++i) {
        Executor executor(1 + i % 4, {});
        if (i % 3 == 0) continue;
        Executor moved = std::move(executor);
        CHECK(runs_of(moved, 9) == std::vector<int>(9, 1));
        Executor other(2, {});
        other = std::move(moved);
        CHECK(runs_of(other, 9) == std::vector<int>(9, 1));
    }
}

TEST_CASE("two executors work side by side") {
    Executor first(3, {}), second(3, {});
    for (int i = 0; i < 100; ++i) {
        CHECK(runs_of(first, 10) == std::vector<int>(10, 1));
        CHECK(runs_of(second, 11) == std::vector<int>(11, 1));
    }
}

TEST_CASE("an own runner gets every item, in whatever order it likes") {
    std::vector<int> counts;
    Executor executor(3, [&](int count, const std::function<void(int)>& job) {
        counts.push_back(count);
        for (int i = count - 1; i >= 0; --i) job(i);
    });
    CHECK(executor.threads() == 3);
    for (const std::size_t count : {0, 1, 2, 7, 1000}) {
        CAPTURE(count);
        CHECK(runs_of(executor, count) == std::vector<int>(count, 1));
    }
    CHECK(counts == std::vector<int>{2, 7, 1000});  // nothing to share below two

    std::vector<std::size_t> order;
    executor.for_each(4, [&](std::size_t i) { order.push_back(i); });
    CHECK(order == std::vector<std::size_t>{3, 2, 1, 0});
}

TEST_CASE("an executor asked for no number of threads takes one for each core") {
    Executor executor(0, {});
    CHECK(executor.threads() >= 1);
    CHECK(runs_of(executor, 100) == std::vector<int>(100, 1));
}
