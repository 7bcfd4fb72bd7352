#pragma once

#include <cstddef>
#include <tuple>

namespace pliant {

template <class... Types>
struct TypeList {
    static constexpr std::size_t size = sizeof...(Types);

    // A tuple of one Container<Type> for every type.
    template <template <class> class Container>
    using Each = std::tuple<Container<Types>...>;

    // Calls f.template operator()<Type>() for every type.
    template <class F>
    [[gnu::always_inline]] static constexpr void for_each(F&& f) {
        (f.template operator()<Types>(), ...);
    }
};

namespace detail {
template <class A, class B>
struct JoinedLists;
template <class... A, class... B>
struct JoinedLists<TypeList<A...>, TypeList<B...>> {
    using type = TypeList<A..., B...>;
};
}  // namespace detail

// The types of one list, then those of another.
template <class A, class B>
using Joined = typename detail::JoinedLists<A, B>::type;

}  // namespace pliant
