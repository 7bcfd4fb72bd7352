// Which points and segments a net of ropes has (rope_net.h).
#pragma once

#include "solvers/position_based/strands/rope_net.h"

namespace pliant::solvers::position_based {

// Does nothing if rings, ties and what is held are as they were.
void find_net_points(const RopeNet& net, NetWorkspace& workspace);

}  // namespace pliant::solvers::position_based
