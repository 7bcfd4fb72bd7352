// The floating-point environment of a thread.
#pragma once

#if !defined(__x86_64__)
#include <cfenv>
#endif

namespace pliant {

// While it lives, this thread rounds to nearest and keeps denormals, whatever the host program set:
// results must not depend on it.
class StandardFloatingPoint {
public:
    StandardFloatingPoint();
    ~StandardFloatingPoint();
    StandardFloatingPoint(const StandardFloatingPoint&) = delete;
    StandardFloatingPoint& operator=(const StandardFloatingPoint&) = delete;

private:
#if defined(__x86_64__)
    unsigned saved_;
#else
    std::fenv_t saved_;
#endif
};

}  // namespace pliant
