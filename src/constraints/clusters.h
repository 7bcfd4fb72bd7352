// The one list of clusters, and how constraints come into them.
#pragma once

#include "constraints/six_links.h"
#include "constraints/tetrahedron_with_edges.h"

namespace pliant::constraints {

// Clusters of several constraints, in the order in which they take theirs.
using Patterns = TypeList<TetrahedronWithEdges, SixLinks>;

namespace detail {
template <class Kinds>
struct ClustersOf;
template <class... Kinds>
struct ClustersOf<TypeList<Kinds...>> {
    using type = TypeList<SixLinks, TetrahedronWithEdges, Single<Kinds>...>;
};
}  // namespace detail

// In the order in which a sweep projects them: those of several constraints, then each kind by itself.
using AllClusters = detail::ClustersOf<AllKinds>::type;
static_assert(AllClusters::size == Patterns::size + AllKinds::size);

using ClusterSet = AllClusters::Each<ClusterList>;

// Every constraint in a cluster of its own.
ClusterSet make_singles(const ConstraintSet& constraints);

// Every constraint is in one cluster. In linear time, whatever the constraints are.
ClusterSet make_clusters(const ConstraintSet& constraints, std::size_t particles);

}  // namespace pliant::constraints
