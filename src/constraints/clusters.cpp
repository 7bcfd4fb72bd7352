#include "constraints/clusters.h"

namespace pliant::constraints {
namespace {

template <class Kind, class Skip>
void add_singles(const ConstraintList<Kind>& list, ClusterSet& clusters, Skip&& skip) {
    auto& singles = std::get<ClusterList<Single<Kind>>>(clusters);
    for (std::uint32_t i = 0; i < list.size(); ++i) {
        if (!skip(i)) singles.add(list.particles[i], {i}, {list.parts[i], 0});
    }
}

}  // namespace

ClusterSet make_singles(const ConstraintSet& constraints) {
    ClusterSet clusters;
    for_each_list(constraints, [&](const auto& list) {
        add_singles(list, clusters, [](std::uint32_t) { return false; });
    });
    return clusters;
}

ClusterSet make_clusters(const ConstraintSet& constraints, std::size_t particles) {
    ClusterSet clusters;
    Unclustered unclustered(constraints, particles);
    Patterns::for_each(
        [&]<class Pattern>() { Pattern::find(unclustered, std::get<ClusterList<Pattern>>(clusters)); });
    AllKinds::for_each([&]<class Kind>() {
        add_singles(unclustered.list<Kind>(), clusters,
                    [&](std::uint32_t i) { return unclustered.is_taken<Kind>(i); });
    });
    return clusters;
}

}  // namespace pliant::constraints
