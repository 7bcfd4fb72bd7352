// Puts constraints that share particles into common visits.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "constraints/visit.h"
#include "model/constraint_set.h"

namespace pliant {

using SlotElasticities = std::array<std::uint32_t, most_slots>;

template <class Visit>
struct VisitList {
    std::vector<std::array<std::uint32_t, Visit::arity>> particles;
    std::vector<std::array<float, Visit::parameters>> parameters;
    std::vector<SlotElasticities> elasticities;

    void add(const std::array<std::uint32_t, Visit::arity>& p,
             const std::array<float, Visit::parameters>& values, const SlotElasticities& elasticity) {
        particles.push_back(p);
        parameters.push_back(values);
        elasticities.push_back(elasticity);
    }
    std::size_t size() const { return particles.size(); }
};

using VisitSet = AllVisits::Each<VisitList>;

// Every constraint in a visit of its own.
VisitSet leave_alone(const ConstraintSet& constraints);

// Every constraint is in one visit. In linear time, whatever the constraints are.
VisitSet fuse(const ConstraintSet& constraints, std::size_t particles);

}  // namespace pliant
