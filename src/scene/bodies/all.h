// The one list of kinds of bodies. Everything that goes over all kinds folds over it.
#pragma once

#include <array>
#include <type_traits>
#include <variant>

#include "base/type_list.h"
#include "scene/bodies/cloth.h"
#include "scene/bodies/hair.h"
#include "scene/bodies/particles.h"
#include "scene/bodies/rope.h"
#include "scene/bodies/soft_body.h"

namespace pliant::bodies {

template <BodyKind... Kinds>
struct BodyList : TypeList<Kinds...> {
    using Shape = std::variant<typename Kinds::Shape...>;
    using Form = std::variant<typename Kinds::Form...>;
    static constexpr std::array names{Kinds::name...};
    // What a material says of each kind.
    static constexpr auto material_fields =
        std::tuple{Field{Kinds::name, Kinds::in_material, "", ranges::any, Kinds::in_material_summary}...};
};

using AllBodies = BodyList<SoftBodyKind, ClothKind, RopeKind, ParticlesKind, HairKind>;

static_assert(std::is_same_v<AllBodies::Shape, BodyShape>,
              "BodyShape (description.h) and AllBodies list the same kinds in the same order");
static_assert(std::is_same_v<AllBodies::Form, decltype(scene::Body::kind)>,
              "scene::Body::kind (scene_file.h) and AllBodies list the same kinds in the same order");

namespace detail {
template <class T, class List>
struct KindOf;
template <class T, class First, class... Rest>
struct KindOf<T, BodyList<First, Rest...>>
    : std::conditional_t<std::is_same_v<T, typename First::Shape> || std::is_same_v<T, typename First::Form>,
                         std::type_identity<First>, KindOf<T, BodyList<Rest...>>> {};
}  // namespace detail

// Of a shape of a Description, or of a form in a scene file.
template <class T>
using KindOf = typename detail::KindOf<T, AllBodies>::type;

// Calls f.operator()<Kind>(shape) for the one that is there.
template <class Variant, class F>
decltype(auto) visit_kind(Variant& variant, F&& f) {
    return std::visit(
        [&](auto& one) -> decltype(auto) {
            return f.template operator()<KindOf<std::remove_cvref_t<decltype(one)>>>(one);
        },
        variant);
}

inline std::vector<Vec3>& positions_of(Body& body) {
    return visit_kind(
        body.shape, []<class Kind>(auto& shape) -> auto& { return Kind::positions(shape); });
}
inline const std::vector<Vec3>& positions_of(const Body& body) {
    return visit_kind(
        body.shape, []<class Kind>(auto& shape) -> auto& { return Kind::positions(shape); });
}

}  // namespace pliant::bodies
