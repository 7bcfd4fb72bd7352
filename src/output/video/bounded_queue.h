// Hands things from one thread to another, at most so many at a time.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace pliant::output {

template <class T>
class BoundedQueue {
public:
    explicit BoundedQueue(std::size_t capacity) : capacity_(capacity) {}

    // Waits while it is full. False: it is closed, and the thing is gone.
    bool push(T thing) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return closed_ || things_.size() < capacity_; });
        if (closed_) return false;
        things_.push_back(std::move(thing));
        changed_.notify_all();
        return true;
    }

    // Waits while it is empty. Nothing: it is closed, and all has been taken.
    std::optional<T> pop() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return closed_ || !things_.empty(); });
        if (things_.empty()) return std::nullopt;
        std::optional<T> thing(std::move(things_.front()));
        things_.pop_front();
        changed_.notify_all();
        return thing;
    }

    // Nothing more comes in; what is there can still be taken.
    void close() {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        changed_.notify_all();
    }

    // Nothing more comes in, and what is there is dropped.
    void abandon() {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        things_.clear();
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<T> things_;
    std::size_t capacity_;
    bool closed_ = false;
};

}  // namespace pliant::output
