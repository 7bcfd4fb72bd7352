// Constraints as the scene gives them: one list per kind, in any order.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "constraints/all.h"

namespace pliant {

template <class Kind>
struct ConstraintList {
    std::vector<std::array<std::uint32_t, Kind::arity>> particles;
    std::vector<std::array<float, Kind::parameters>> parameters;
    std::vector<std::uint32_t> elasticity;  // index into the table of elasticities

    void add(const std::array<std::uint32_t, Kind::arity>& p,
             const std::array<float, Kind::parameters>& values, std::uint32_t elasticity_index) {
        particles.push_back(p);
        parameters.push_back(values);
        elasticity.push_back(elasticity_index);
    }
    std::size_t size() const { return particles.size(); }
};

using ConstraintSet = AllKinds::Each<ConstraintList>;

// Calls f(list) for the list of every kind.
template <class Set, class F>
void for_each_list(Set&& set, F&& f) {
    std::apply([&](auto&&... list) { (f(list), ...); }, set);
}

}  // namespace pliant
