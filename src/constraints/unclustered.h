// Which constraints are in no cluster yet, and which distances there are between particles: what the search
// for clusters works on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "constraints/constraint_list.h"

namespace pliant::constraints {

class Unclustered {
public:
    static constexpr std::uint32_t none = 0xffffffff;

    Unclustered(const ConstraintSet& set, std::size_t particles);

    template <class Kind>
    const ConstraintList<Kind>& list() const {
        return std::get<ConstraintList<Kind>>(set_);
    }
    template <class Kind>
    bool is_taken(std::uint32_t constraint) const {
        return std::get<Taken<Kind>>(taken_).flags[constraint];
    }
    template <class Kind>
    void take(std::uint32_t constraint) {
        std::get<Taken<Kind>>(taken_).flags[constraint] = 1;
    }

    // Distance constraints, from a particle to later ones, by those.
    struct Link {
        std::uint32_t high, constraint;
    };
    std::span<const Link> links_from(std::uint32_t particle) const {
        return {links_.data() + first_link_[particle], first_link_[particle + 1] - first_link_[particle]};
    }
    // The distance constraint between two particles that is not taken, or none.
    std::uint32_t link_between(std::uint32_t a, std::uint32_t b) const;
    std::size_t particles() const { return first_link_.size() - 1; }

private:
    template <class Kind>
    struct Taken {
        std::vector<std::uint8_t> flags;
    };

    const ConstraintSet& set_;
    AllKinds::Each<Taken> taken_;
    std::vector<std::uint32_t> first_link_;
    std::vector<Link> links_;
};

}  // namespace pliant::constraints
