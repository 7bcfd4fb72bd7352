// A team of threads that stays together, or the embedder's own runner, behind one call.
#pragma once

#include <pliant/description.h>

#include <cstddef>
#include <memory>

#include "base/floating_point.h"

namespace pliant {

// A reference to something callable: no allocation, no ownership.
class Job {
public:
    template <class F>
    explicit Job(F& f) : object_(&f), call_([](void* o, std::size_t i) { (*static_cast<F*>(o))(i); }) {}
    void operator()(std::size_t i) const { call_(object_, i); }

private:
    void* object_;
    void (*call_)(void*, std::size_t);
};

class Executor {
public:
    // threads: 0 means one for each core. With a runner, threads only says what threads() answers.
    Executor(int threads, ThreadRunner runner);
    ~Executor();
    Executor(Executor&&) noexcept;
    Executor& operator=(Executor&&) noexcept;

    int threads() const { return threads_; }

    // f(0) … f(count − 1), each once, on any thread; returns when all are done.
    template <class F>
    void for_each(std::size_t count, F&& f) {
        run(count, Job(f));
    }

private:
    class Team;
    void run(std::size_t count, Job job);

    int threads_ = 1;
    ThreadRunner runner_;
    std::unique_ptr<Team> team_;
};

}  // namespace pliant
