// Constraints that are loaded and stored together. A cluster brings a few particles into registers, projects
// one constraint or several on them, one after the other, and puts them back. A constraint whose particles
// are there already costs no load and no store, which are half of what a constraint costs.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "constraints/constraint_list.h"

namespace pliant::constraints {

// How many scalar constraints a kind is.
template <ConstraintKind K>
inline constexpr int rows_of = 1;
template <BlockKind K>
inline constexpr int rows_of<K> = K::rows;

// A constraint of a cluster: of its particles it joins Members. Stages with one Part number have one
// material part.
template <ConstraintKind K, int Part, int... Members>
struct Stage {
    using Kind = K;
    static constexpr int rows = rows_of<K>;  // a multiplier each
    static constexpr int part = Part;
    static constexpr int rest_owner = -1;  // its Rest is its own
    static constexpr std::array<int, K::arity> members{Members...};
};

// A stage that reads the Rest of an earlier one, of the same kind of Rest.
template <int Owner, class S>
struct SharesRest : S {
    static constexpr int rest_owner = Owner;
};

template <int Arity, class... S>
struct ClusterOf {
    static constexpr int arity = Arity;
    static constexpr int stages = sizeof...(S);
    static constexpr int rows = (S::rows + ...);
    static constexpr int rest_values = ((S::rest_owner < 0 ? rest_size<typename S::Kind> : 0) + ...);
    static constexpr int parts = 1 + std::max({S::part...});
    static constexpr bool is_mixed = parts > 1 && !(S::Kind::central_pair && ...);
    static constexpr bool is_pair = stages == 1 && (S::Kind::central_pair && ...);

    // Where the Rest of each stage begins among the cluster's values.
    static constexpr std::array<int, stages> first_values = [] {
        constexpr std::array<int, stages> sizes{rest_size<typename S::Kind>...}, owners{S::rest_owner...};
        std::array<int, stages> first{};
        int next = 0;
        for (std::size_t i = 0; i < stages; ++i) {
            first[i] = owners[i] < 0 ? next : first[static_cast<std::size_t>(owners[i])];
            if (owners[i] < 0) next += sizes[i];
        }
        return first;
    }();

    // Which multiplier is the first of each stage.
    static constexpr std::array<int, stages> first_rows = [] {
        constexpr std::array<int, stages> rows_of_stages{S::rows...};
        std::array<int, stages> first{};
        for (std::size_t i = 1; i < stages; ++i) first[i] = first[i - 1] + rows_of_stages[i - 1];
        return first;
    }();

    // Calls f.template operator()<Stage, number of the stage, number of its first rest value>().
    template <class F>
    [[gnu::always_inline]] static constexpr void for_each_stage(F&& f) {
        call(f, std::make_integer_sequence<int, stages>());
    }

private:
    template <class F, int... I>
    [[gnu::always_inline]] static constexpr void call(F& f, std::integer_sequence<int, I...>) {
        (f.template operator()<S, I, first_values[I]>(), ...);
    }
};

namespace detail {
template <class Kind, class Members>
struct SingleOf;
template <class Kind, int... I>
struct SingleOf<Kind, std::integer_sequence<int, I...>> {
    using type = ClusterOf<Kind::arity, Stage<Kind, 0, I...>>;
};
}  // namespace detail

// A constraint by itself.
template <ConstraintKind K>
struct Single : detail::SingleOf<K, std::make_integer_sequence<int, K::arity>>::type {
    using Kind = K;
};

inline constexpr int most_parts = 2;
using ClusterParts = std::array<std::uint32_t, most_parts>;  // the material parts; 0 beyond Cluster::parts

// Clusters of one sort: their particles, and for each stage which constraint of its kind's list it is.
template <class Cluster>
struct ClusterList {
    std::vector<std::array<std::uint32_t, Cluster::arity>> particles;
    std::vector<std::array<std::uint32_t, Cluster::stages>> sources;
    std::vector<ClusterParts> parts;

    void add(const std::array<std::uint32_t, Cluster::arity>& members,
             const std::array<std::uint32_t, Cluster::stages>& constraints, const ClusterParts& of_parts) {
        particles.push_back(members);
        sources.push_back(constraints);
        parts.push_back(of_parts);
    }
    std::size_t size() const { return particles.size(); }
};

// The rest values of a cluster, from the lists of rests of all kinds: rests<Kind>()[i].
template <class Cluster, class RestLists>
std::array<float, Cluster::rest_values> rest_values_of(
    const std::array<std::uint32_t, Cluster::stages>& sources, const RestLists& rests) {
    std::array<float, Cluster::rest_values> values{};
    Cluster::for_each_stage([&]<class Stage, int number, int first>() {
        if constexpr (Stage::rest_owner < 0) {
            using Kind = typename Stage::Kind;
            const auto own = to_array<Kind>(rests.template of<Kind>()[sources[number]]);
            std::copy(own.begin(), own.end(), values.begin() + first);
        }
    });
    return values;
}

}  // namespace pliant::constraints
