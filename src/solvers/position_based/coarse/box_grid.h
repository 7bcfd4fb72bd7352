// The boxes of a coarse level over the rest shape of a body.
#pragma once

#include <optional>

#include "model/model.h"
#include "solvers/position_based/coarse/split_nodes.h"

namespace pliant::solvers::position_based {

struct BoxGrid {
    std::array<std::uint32_t, 3> counts{};  // boxes along each axis
    Vec3d low, size;                        // corner of the first, size of each, m

    GridPlace place(const Vec3d& x) const;
    // The axes from the longest side to the shortest, in boxes; of equals, y comes first.
    std::array<std::size_t, 3> axes() const;
};

// Boxes of eight edges, four in a body that is thinner than six, two in one that is thinner than three and a
// half; larger ones where solving for their nodes would take longer than a sweep over the elements. None for
// a body that is thinner than one and a half.
std::optional<BoxGrid> make_box_grid(const model::Model& model, const BodyView& body);

}  // namespace pliant::solvers::position_based
