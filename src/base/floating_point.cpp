#include "base/floating_point.h"

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace pliant {

#if defined(__x86_64__)

namespace {

// The x87 unit has a word of its own. glibc asks it how to round where it reads and prints numbers.
std::uint16_t x87_control() {
    std::uint16_t word = 0;
    __asm__ volatile("fnstcw %0" : "=m"(word));
    return word;
}
void set_x87_control(std::uint16_t word) { __asm__ volatile("fldcw %0" : : "m"(word)); }

}  // namespace

// Both words have 16 bits.
StandardFloatingPoint::StandardFloatingPoint() : saved_(_mm_getcsr() | unsigned{x87_control()} << 16) {
    _mm_setcsr(0x1f80);       // all exceptions masked, round to nearest, no flush-to-zero
    set_x87_control(0x037f);  // the same
}

StandardFloatingPoint::~StandardFloatingPoint() {
    _mm_setcsr(saved_ & 0xffff);
    set_x87_control(static_cast<std::uint16_t>(saved_ >> 16));
}

#else  // WebAssembly knows one environment only; there these do nothing

StandardFloatingPoint::StandardFloatingPoint() {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
}

StandardFloatingPoint::~StandardFloatingPoint() { std::fesetenv(&saved_); }

#endif

}  // namespace pliant
