// The one list of collider shapes. Everything that goes over all shapes folds over it.
#pragma once

#include <cstddef>
#include <type_traits>
#include <variant>

#include "base/type_list.h"
#include "collision/box.h"
#include "collision/capsule.h"
#include "collision/cone.h"
#include "collision/cylinder.h"
#include "collision/mesh.h"
#include "collision/plane.h"
#include "collision/sphere.h"
#include "collision/torus.h"

namespace pliant::collision {

template <ColliderKind... Kinds>
struct ColliderList : TypeList<Kinds...> {
    using Shape = std::variant<typename Kinds::Shape...>;
    static constexpr std::array names{Kinds::name...};
};

// In the order in which a particle meets them.
using AllColliders =
    ColliderList<PlaneCollider, SphereCollider, BoxCollider, CapsuleCollider, CylinderCollider, ConeCollider,
                 TorusCollider, MeshCollider, HeightFieldCollider>;

static_assert(std::is_same_v<AllColliders::Shape, ColliderShape>,
              "ColliderShape (description.h) and AllColliders list the same shapes in the same order");

namespace detail {
template <class Shape, class List>
struct KindOf;
template <class Shape, class First, class... Rest>
struct KindOf<Shape, ColliderList<First, Rest...>>
    : std::conditional_t<std::is_same_v<Shape, typename First::Shape>, std::type_identity<First>,
                         KindOf<Shape, ColliderList<Rest...>>> {};
}  // namespace detail

template <class Shape>
using KindOf = typename detail::KindOf<Shape, AllColliders>::type;

// Calls f.operator()<Kind>(shape) for the shape that is there.
template <class F>
decltype(auto) visit_shape(const ColliderShape& shape, F&& f) {
    return std::visit([&]<class S>(const S& s) { return f.template operator()<KindOf<S>>(s); }, shape);
}

// The local forms of one kind, and of all: pointers and counts, for kernels.
template <class Kind>
struct LocalSpan {
    const typename Kind::Local* first = nullptr;
    std::size_t count = 0;
};
template <class List>
struct LocalSpans;
template <class... Kinds>
struct LocalSpans<ColliderList<Kinds...>> : LocalSpan<Kinds>... {};

using ColliderSet = LocalSpans<AllColliders>;

template <class Kind>
[[gnu::always_inline]] inline const LocalSpan<Kind>& span_of(const ColliderSet& set) {
    return set;
}

inline std::size_t count_of(const ColliderSet& set) {
    std::size_t count = 0;
    AllColliders::for_each([&]<class Kind>() { count += span_of<Kind>(set).count; });
    return count;
}

}  // namespace pliant::collision
