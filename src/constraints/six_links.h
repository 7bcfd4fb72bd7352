// Four particles, each linked with each: a cell of a cloth and its diagonals, or two triangles and the link
// against bending, which may have a material part of its own. Links that do not meet follow each other, so
// that one need not wait for the other.
#pragma once

#include "constraints/cluster.h"
#include "constraints/unclustered.h"

namespace pliant::constraints {

struct SixLinks : ClusterOf<4, Stage<kinds::Distance, 0, 0, 1>, Stage<kinds::Distance, 1, 2, 3>,
                            Stage<kinds::Distance, 0, 0, 2>, Stage<kinds::Distance, 0, 1, 3>,
                            Stage<kinds::Distance, 0, 0, 3>, Stage<kinds::Distance, 0, 1, 2>> {
    // Greedy, in the order of the particles, in linear time. A regular cloth gives 75 % of its links to
    // sixes.
    static void find(Unclustered& unclustered, ClusterList<SixLinks>& found);
};

}  // namespace pliant::constraints
