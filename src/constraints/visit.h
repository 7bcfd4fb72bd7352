// What is loaded and stored together. A visit brings a few particles into registers, projects one constraint
// or several on them, one after the other, and puts them back. A constraint whose particles are there already
// costs no load and no store, which are half of what a constraint costs.
#pragma once

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "constraints/all.h"

namespace pliant {

// A constraint of a visit: of its particles it joins Members. Stages of one slot have one elasticity.
template <ConstraintKind K, int Slot, int... Members>
struct Stage {
    using Kind = K;
    static constexpr int slot = Slot;
    static constexpr std::array<int, K::arity> members{Members...};
};

template <int Arity, class... S>
struct VisitOf {
    static constexpr int arity = Arity;
    static constexpr int stages = sizeof...(S);
    static constexpr int parameters = (S::Kind::parameters + ...);
    static constexpr int slots = 1 + std::max({S::slot...});
    template <class K>
    static constexpr bool has = (std::is_same_v<typename S::Kind, K> || ...);
    static constexpr bool is_mixed = slots > 1 && !(S::Kind::central_pair && ...);
    static constexpr bool is_pair = stages == 1 && (S::Kind::central_pair && ...);

    // Calls f.template operator()<Stage, number of the stage, number of its first parameter>().
    template <class F>
    [[gnu::always_inline]] static constexpr void for_each_stage(F&& f) {
        call<0, 0, S...>(f);
    }

private:
    template <int Number, int Parameter, class First, class... Rest, class F>
    [[gnu::always_inline]] static constexpr void call(F& f) {
        f.template operator()<First, Number, Parameter>();
        if constexpr (sizeof...(Rest) > 0) call<Number + 1, Parameter + First::Kind::parameters, Rest...>(f);
    }
};

namespace detail {
template <class Kind, class Members>
struct AloneOf;
template <class Kind, int... I>
struct AloneOf<Kind, std::integer_sequence<int, I...>> {
    using type = VisitOf<Kind::arity, Stage<Kind, 0, I...>>;
};
}  // namespace detail

// A constraint by itself.
template <ConstraintKind K>
struct Alone : detail::AloneOf<K, std::make_integer_sequence<int, K::arity>>::type {
    using Kind = K;
};

// A tetrahedron with two edges that do not meet.
struct TetrahedronWithEdges : VisitOf<4, Stage<kinds::Distance, 0, 0, 1>, Stage<kinds::Distance, 0, 2, 3>,
                                      Stage<kinds::Volume, 1, 0, 1, 2, 3>> {};

// Four particles, each linked with each: a cell of a cloth and its diagonals, or two triangles and the link
// against bending, which may have an elasticity of its own. Links that do not meet follow each other, so that
// one need not wait for the other.
struct SixLinks : VisitOf<4, Stage<kinds::Distance, 0, 0, 1>, Stage<kinds::Distance, 1, 2, 3>,
                          Stage<kinds::Distance, 0, 0, 2>, Stage<kinds::Distance, 0, 1, 3>,
                          Stage<kinds::Distance, 0, 0, 3>, Stage<kinds::Distance, 0, 1, 2>> {};

inline constexpr int most_slots = 2;

namespace detail {
template <class Kinds>
struct VisitsOf;
template <class... Kinds>
struct VisitsOf<TypeList<Kinds...>> {
    using type = TypeList<SixLinks, TetrahedronWithEdges, Alone<Kinds>...>;
};
}  // namespace detail

// In the order in which a sweep makes them: those of several constraints, then each kind by itself.
using AllVisits = detail::VisitsOf<AllKinds>::type;

}  // namespace pliant
