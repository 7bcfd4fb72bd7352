#include <pliant/assertions.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace pliant {
namespace {

void print_failure(const char* condition, const char* file, int line) {
    std::fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
}

std::atomic<AssertionHandler> current{print_failure};

}  // namespace

AssertionHandler set_assertion_handler(AssertionHandler handler) {
    return current.exchange(handler ? handler : print_failure);
}

void detail::fail_assertion(const char* condition, const char* file, int line) {
    current.load()(condition, file, line);
    std::abort();
}

}  // namespace pliant
