#include "constraints/clusters.h"

#include <pliant/assertions.h>

#include <algorithm>
#include <type_traits>
#include <vector>

namespace pliant::constraints {
namespace {

template <class Kind, class Skip>
void add_singles(const ConstraintList<Kind>& list, ClusterSet& clusters, Skip&& skip) {
    auto& singles = std::get<ClusterList<Single<Kind>>>(clusters);
    for (std::uint32_t i = 0; i < list.size(); ++i) {
        if (!skip(i)) singles.add(list.particles[i], {i}, {list.parts[i], 0});
    }
}

// Every constraint is in exactly one cluster, on the cluster's particles.
[[maybe_unused]] void validate(const ConstraintSet& constraints, const ClusterSet& clusters) {
    AllKinds::for_each([&]<class Kind>() {
        const auto& list = list_of<Kind>(constraints);
        std::vector<std::uint8_t> seen(list.size(), 0);
        AllClusters::for_each([&]<class Cluster>() {
            const auto& all = std::get<ClusterList<Cluster>>(clusters);
            for (std::size_t i = 0; i < all.size(); ++i) {
                Cluster::for_each_stage([&]<class Stage, int number, int>() {
                    if constexpr (std::is_same_v<typename Stage::Kind, Kind>) {
                        const std::uint32_t constraint = all.sources[i][number];
                        PLIANT_ASSERT(constraint < list.size() && !seen[constraint]);
                        seen[constraint] = 1;
                        for ([[maybe_unused]] const std::uint32_t p : list.particles[constraint]) {
                            PLIANT_ASSERT(std::count(all.particles[i].begin(), all.particles[i].end(), p) ==
                                          1);
                        }
                    }
                });
            }
        });
        PLIANT_ASSERT(std::count(seen.begin(), seen.end(), 1) == static_cast<std::ptrdiff_t>(seen.size()));
    });
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
    PLIANT_VALIDATE(validate(constraints, clusters));
    return clusters;
}

}  // namespace pliant::constraints
