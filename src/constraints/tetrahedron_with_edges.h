// A tetrahedron with two edges that do not meet.
#pragma once

#include "constraints/cluster.h"
#include "constraints/unclustered.h"

namespace pliant::constraints {

struct TetrahedronWithEdges : ClusterOf<4, Stage<kinds::Distance, 0, 0, 1>, Stage<kinds::Distance, 0, 2, 3>,
                                        Stage<kinds::Volume, 1, 0, 1, 2, 3>> {
    // Each volume, in the order of the list, takes the first two opposite edges of its own that are still
    // free and have one material part. A regular box gives 92 % of its edges to tetrahedra.
    static void find(Unclustered& unclustered, ClusterList<TetrahedronWithEdges>& found);
};

}  // namespace pliant::constraints
