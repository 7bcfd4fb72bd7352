#include "constraints/tetrahedron_with_edges.h"

namespace pliant::constraints {
namespace {

// The three ways to name a tetrahedron's particles such that 01 and 23 are edges that do not meet, each with
// the same orientation.
constexpr int opposite_edges[3][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}};

}  // namespace

void TetrahedronWithEdges::find(Unclustered& unclustered, ClusterList<TetrahedronWithEdges>& found) {
    const auto& volumes = unclustered.list<kinds::Volume>();
    const auto& distances = unclustered.list<kinds::Distance>();
    for (std::uint32_t i = 0; i < volumes.size(); ++i) {
        const auto& t = volumes.particles[i];
        for (const auto& [a, b, c, d] : opposite_edges) {
            const std::array<std::uint32_t, 4> p{t[a], t[b], t[c], t[d]};
            const std::uint32_t first = unclustered.link_between(p[0], p[1]),
                                second = unclustered.link_between(p[2], p[3]);
            if (first == Unclustered::none || second == Unclustered::none) continue;
            if (distances.parts[first] != distances.parts[second]) continue;
            unclustered.take<kinds::Distance>(first);
            unclustered.take<kinds::Distance>(second);
            unclustered.take<kinds::Volume>(i);
            found.add(p, {first, second, i}, {distances.parts[first], volumes.parts[i]});
            break;
        }
    }
}

}  // namespace pliant::constraints
