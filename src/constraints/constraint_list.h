// Constraints as the scene gives them: one list per kind, in the scene's order.
#pragma once

#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

#include "constraints/all.h"

namespace pliant::constraints {

template <class Kind>
struct ConstraintList {
    std::vector<std::array<std::uint32_t, Kind::arity>> particles;
    std::vector<RestOf<Kind>> rests;
    std::vector<std::uint32_t> parts;  // the material part of each

    void add(const std::array<std::uint32_t, Kind::arity>& members, const RestOf<Kind>& rest,
             std::uint32_t part) {
        particles.push_back(members);
        rests.push_back(rest);
        parts.push_back(part);
    }
    std::size_t size() const { return particles.size(); }
};

using ConstraintSet = AllKinds::Each<ConstraintList>;

// Calls f(list) for every list of a tuple of lists.
template <class Set, class F>
void for_each_list(Set&& set, F&& f) {
    std::apply([&](auto&&... list) { (f(list), ...); }, set);
}

template <class Kind, class Set>
auto& list_of(Set& set) {
    return std::get<ConstraintList<Kind>>(set);
}

}  // namespace pliant::constraints
