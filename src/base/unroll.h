#pragma once

#include <utility>

namespace pliant {

// f(0) … f(N − 1) with constant indices. A loop over a small array of lanes would keep the array in
// memory: compilers take arrays apart before they unroll.
template <int N, class F>
[[gnu::always_inline]] constexpr void unroll(F&& f) {
    [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
        (f(std::integral_constant<int, I>()), ...);
    }
    (std::make_integer_sequence<int, N>());
}

// f(0) + … + f(N − 1), as a balanced tree: fewer additions wait for each other.
template <int N, int First = 0, class F>
[[gnu::always_inline]] constexpr auto sum_over(F&& f) {
    if constexpr (N == 1) {
        return f(std::integral_constant<int, First>());
    } else {
        return sum_over<N / 2, First>(f) + sum_over<N - N / 2, First + N / 2>(f);
    }
}

}  // namespace pliant
