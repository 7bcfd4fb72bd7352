// A step has hundreds of short phases, so handing out a phase must cost well under a microsecond: the
// workers spin on one counter while a step is under way, and park (in the kernel) when nothing has come
// for a while, so that an idle program uses no CPU.
//
// Each thread owns a fixed share of a phase's items (the same every time: its caches stay warm) and
// then helps the others. The caller never waits for a worker that has not woken up yet; it does the
// work itself. Which thread runs an item changes nothing in the result.
#include "base/parallel.h"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif
#if !defined(__EMSCRIPTEN__) && !defined(PLIANT_HAS_THREADS)
#define PLIANT_HAS_THREADS
#endif
#if defined(PLIANT_HAS_THREADS)
#include <atomic>
#include <thread>
#include <vector>
#endif

namespace pliant {

#if defined(PLIANT_HAS_THREADS)

namespace {

// About 50 µs of pauses before parking; a waiting caller yields much earlier, in case there are more
// threads than cores.
constexpr int spins_before_park = 2000;
constexpr int spins_before_yield = 200;

void pause_briefly() {
#if defined(__x86_64__)
    _mm_pause();
#endif
}

}  // namespace

class Executor::Team {
public:
    explicit Team(int threads) : cursors_(static_cast<std::size_t>(threads)) {
        for (int i = 1; i < threads; ++i)
            workers_.emplace_back([this, i] { work(static_cast<std::size_t>(i)); });
    }

    ~Team() {
        stopping_.store(true);
        epoch_.fetch_add(1);
        epoch_.notify_all();
        for (std::thread& worker : workers_) worker.join();
    }

    void run(std::size_t count, const Job& job) {
        // No worker holds an item here, so the phase can be replaced. A late worker may still look at the
        // old one: first take its cursors away, so that it cannot read them against the new count.
        const std::uint32_t epoch = epoch_.load(std::memory_order_relaxed) + 1;
        for (Cursor& cursor : cursors_) cursor.next.store(pack(epoch, exhausted), std::memory_order_relaxed);
        job_.store(&job, std::memory_order_relaxed);
        done_.store(0, std::memory_order_relaxed);
        count_.store(count, std::memory_order_release);
        for (std::size_t t = 0; t < cursors_.size(); ++t) {
            cursors_[t].next.store(pack(epoch, share_begin(t, count)), std::memory_order_release);
        }
        epoch_.store(epoch, std::memory_order_seq_cst);
        if (parked_.load(std::memory_order_seq_cst) > 0) epoch_.notify_all();

        take_items(0, epoch);
        for (int spins = 0; done_.load(std::memory_order_acquire) < count; ++spins) {
            if (spins < spins_before_yield) {
                pause_briefly();
            } else {
                std::this_thread::yield();
            }
        }
    }

private:
    struct alignas(64) Cursor {
        std::atomic<std::uint64_t> next{0};  // epoch and item
    };

    static constexpr std::size_t exhausted = 0xffffffff;
    static std::uint64_t pack(std::uint32_t epoch, std::size_t item) {
        return std::uint64_t(epoch) << 32 | static_cast<std::uint32_t>(item);
    }
    std::size_t share_begin(std::size_t thread, std::size_t count) const {
        return count * thread / cursors_.size();
    }

    void work(std::size_t thread) {
        const StandardFloatingPoint floating_point;
        std::uint32_t seen = 0;
        while (true) {
            seen = wait_for_epoch_after(seen);
            if (stopping_.load()) return;
            take_items(thread, seen);
        }
    }

    std::uint32_t wait_for_epoch_after(std::uint32_t seen) {
        for (int spins = 0;; ++spins) {
            const std::uint32_t epoch = epoch_.load(std::memory_order_acquire);
            if (epoch != seen) return epoch;
            if (spins < spins_before_park) {
                pause_briefly();
                continue;
            }
            parked_.fetch_add(1, std::memory_order_seq_cst);
            epoch_.wait(seen, std::memory_order_seq_cst);
            parked_.fetch_sub(1, std::memory_order_seq_cst);
            spins = 0;
        }
    }

    // The own share first, then what the others have left.
    void take_items(std::size_t thread, std::uint32_t epoch) {
        for (std::size_t k = 0; k < cursors_.size(); ++k) take_share((thread + k) % cursors_.size(), epoch);
    }

    void take_share(std::size_t share, std::uint32_t epoch) {
        std::atomic<std::uint64_t>& next = cursors_[share].next;
        std::uint64_t ticket = next.load(std::memory_order_acquire);
        while (ticket >> 32 == epoch) {
            const std::size_t count = count_.load(std::memory_order_acquire);
            const std::size_t item = ticket & 0xffffffff;
            if (item >= share_begin(share + 1, count)) return;
            if (!next.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel)) continue;
            (*job_.load(std::memory_order_relaxed))(item);
            done_.fetch_add(1, std::memory_order_acq_rel);
            ticket = next.load(std::memory_order_acquire);
        }
    }

    std::vector<Cursor> cursors_;
    std::vector<std::thread> workers_;
    alignas(64) std::atomic<std::uint32_t> epoch_{0};
    std::atomic<int> parked_{0};
    std::atomic<bool> stopping_{false};
    std::atomic<const Job*> job_{nullptr};
    std::atomic<std::size_t> count_{0};
    alignas(64) std::atomic<std::size_t> done_{0};
};

namespace {
int core_count() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }
}  // namespace

#else

// Without threads every item runs on the caller.
class Executor::Team {
public:
    explicit Team(int) {}
    void run(std::size_t count, const Job& job) {
        for (std::size_t i = 0; i < count; ++i) job(i);
    }
};

namespace {
int core_count() { return 1; }
}  // namespace

#endif

Executor::Executor(int threads, ThreadRunner runner)
    : threads_(threads > 0 ? threads : core_count()), runner_(std::move(runner)) {
    if (!runner_ && threads_ > 1) team_ = std::make_unique<Team>(threads_);
}
Executor::~Executor() = default;
Executor::Executor(Executor&&) noexcept = default;
Executor& Executor::operator=(Executor&&) noexcept = default;

void Executor::run(std::size_t count, Job job) {
    if (count == 0) return;
    if (runner_ && count > 1) {
        runner_(static_cast<int>(count), [job](int i) {
            const StandardFloatingPoint floating_point;
            job(static_cast<std::size_t>(i));
        });
    } else if (team_ && count > 1) {
        team_->run(count, job);
    } else {
        for (std::size_t i = 0; i < count; ++i) job(i);
    }
}

}  // namespace pliant
