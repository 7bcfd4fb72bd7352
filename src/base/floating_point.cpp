#include "base/floating_point.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace pliant {

#if defined(__x86_64__)

StandardFloatingPoint::StandardFloatingPoint() : saved_(_mm_getcsr()) {
    _mm_setcsr(0x1f80);  // all exceptions masked, round to nearest, no flush-to-zero
}

StandardFloatingPoint::~StandardFloatingPoint() { _mm_setcsr(saved_); }

#else  // WebAssembly knows one environment only; there these do nothing

StandardFloatingPoint::StandardFloatingPoint() {
    std::fegetenv(&saved_);
    std::fesetenv(FE_DFL_ENV);
}

StandardFloatingPoint::~StandardFloatingPoint() { std::fesetenv(&saved_); }

#endif

}  // namespace pliant
