#pragma once

#include <doctest/doctest.h>

#include <type_traits>

namespace pliant::test {

// Calls f with each width that every machine has, as a constant.
template <class F>
void for_every_width(F&& f) {
    const auto call = [&](auto width) {
        CAPTURE(width());
        f(width);
    };
    call(std::integral_constant<int, 1>());
    call(std::integral_constant<int, 4>());
}

}  // namespace pliant::test
