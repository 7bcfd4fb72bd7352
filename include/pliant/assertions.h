// Checks of invariants that only a mistake in the program can break. Bad input is never such a mistake: it
// gives an Error. They are compiled in where PLIANT_ASSERTIONS is defined, which debug builds do for all who
// link the library.
#pragma once

namespace pliant {

// Called where an assertion fails. If it returns, the program aborts; it may throw instead.
using AssertionHandler = void (*)(const char* condition, const char* file, int line);

// Takes effect for all threads; null brings back the default, which prints. Returns the one before.
AssertionHandler set_assertion_handler(AssertionHandler handler);

namespace detail {
[[noreturn]] void fail_assertion(const char* condition, const char* file, int line);
}

}  // namespace pliant

#ifdef PLIANT_ASSERTIONS
#define PLIANT_ASSERT(...) \
    ((__VA_ARGS__) ? void() : ::pliant::detail::fail_assertion(#__VA_ARGS__, __FILE__, __LINE__))
// The same for a whole structure: a function that asserts its invariants.
#define PLIANT_VALIDATE(...) (__VA_ARGS__)
#else
#define PLIANT_ASSERT(...) static_cast<void>(0)
#define PLIANT_VALIDATE(...) static_cast<void>(0)
#endif
