// What a constraint kind is: a formula, and nothing else. Here: one scalar C. For several that are solved
// together see block.h.
//
//   struct SomeKind {
//       static constexpr const char *name, *summary;
//       static constexpr int arity;              // how many particles it joins
//       static constexpr bool unit_gradients;    // every |∇ᵢC| = 1: shortens the projection
//       static constexpr bool central_pair;      // two particles, g₀ = x₀ − x₁ = −g₁: halves the loading
//       static constexpr bool inequality;        // acts only where C < 0
//       static constexpr bool runs_in_pbd;       // PBD's stiffness makes sense for it
//       template <class T> struct Rest { … };      // what each constraint carries
//       template <class T> struct Material { … };  // what all constraints of a material part share
//       rest_fields(rest, f), material_fields(material, f)   // their tables: f(field, FieldInfo) one by one
//       static Rest<float> rest_of(const Vec3d* x);          // of the rest shape
//       template <class T> static T measure(const Rest<T>&);             // what compliance may scale with
//       template <class T> static T error_scale(const Rest<T>&, T size); // what |C| is reported relative to
//       template <class T> static Evaluation<T, arity> evaluate(x, rest, material);
//   };
//
// evaluate works for any number type T: float, double, or SIMD lanes. The gradients come as g with a common
// divisor q, the true gradient being g/q. That keeps division out of the formula: the projection divides once
// (see solvers/position_based/projection.h).
//
// A kind with `is_compensated = true` has the compliance that one sweep adds taken off again (projection.h).
//
// A NaN in Rest means that there is no constraint: no form of the projection moves anything for it.
#pragma once

#include <pliant/vector.h>

#include <array>
#include <concepts>
#include <cstddef>

#include "base/scalar.h"

namespace pliant::constraints {

struct FieldInfo {
    const char* name;
    const char* unit;
    const char* summary;
};

template <class T, int Arity>
struct Evaluation {
    T value;                                  // C
    std::array<Vector3<T>, Arity> gradients;  // g = q·∇C
    T divisor;                                // q
};

// Bases for kinds whose constraints carry nothing, or whose materials have no constants.
struct NoRest {
    template <class T>
    struct Rest {};
    template <class R, class F>
    [[gnu::always_inline]] static constexpr void rest_fields(R&, F&&) {}
    static Rest<float> rest_of(const Vec3d*) { return {}; }
    template <class T>
    [[gnu::always_inline]] static inline T measure(const Rest<T>&) {
        return T(0.0f);
    }
};
struct NoMaterial {
    template <class T>
    struct Material {};
    template <class M, class F>
    [[gnu::always_inline]] static constexpr void material_fields(M&, F&&) {}
};

template <class K>
inline constexpr bool is_compensated = requires {
    requires K::is_compensated;
};

template <class K>
using RestOf = typename K::template Rest<float>;
template <class K>
using MaterialOf = typename K::template Material<float>;

// What scalar constraints and blocks of rows (block.h) have in common.
template <class K>
concept AnyKind = requires(const Vector3<double>* x, const typename K::template Rest<double>& rest) {
    { K::name } -> std::convertible_to<const char*>;
    { K::summary } -> std::convertible_to<const char*>;
    { K::rest_of(x) } -> std::same_as<RestOf<K>>;
    { K::measure(rest) } -> std::same_as<double>;
    { K::central_pair } -> std::convertible_to<bool>;
    { K::runs_in_pbd } -> std::convertible_to<bool>;
    requires K::arity >= 1;
};

template <class K>
concept ScalarKind = AnyKind<K> &&
    requires(const Vector3<double>* x, const typename K::template Rest<double>& rest,
             const typename K::template Material<double>& material) {
    { K::evaluate(x, rest, material) } -> std::same_as<Evaluation<double, K::arity>>;
    { K::error_scale(rest, 1.0) } -> std::same_as<double>;
    { K::unit_gradients } -> std::convertible_to<bool>;
    { K::inequality } -> std::convertible_to<bool>;
};

namespace detail {
template <class Values, class Visit>
constexpr int count_fields(Visit visit) {
    Values values{};
    int count = 0;
    visit(values, [&](auto&, const FieldInfo&) { ++count; });
    return count;
}
}  // namespace detail

// How many numbers a Rest and a Material are.
template <class K>
inline constexpr int rest_size = detail::count_fields<RestOf<K>>([](auto& rest, auto f) {
    K::rest_fields(rest, f);
});
template <class K>
inline constexpr int material_size = detail::count_fields<MaterialOf<K>>([](auto& material, auto f) {
    K::material_fields(material, f);
});

// The most constants that a material of any kind has.
inline constexpr std::size_t most_constants = 4;
using MaterialConstants = std::array<float, most_constants>;

template <class K>
std::array<float, rest_size<K>> to_array(const RestOf<K>& rest) {
    std::array<float, rest_size<K>> values{};
    std::size_t i = 0;
    K::rest_fields(rest, [&](const float& field, const FieldInfo&) { values[i++] = field; });
    return values;
}

// Fills Rest or Material field by field: next(i) is number i.
template <class K, class T, class F>
[[gnu::always_inline]] inline typename K::template Rest<T> make_rest(F&& next) {
    typename K::template Rest<T> rest;
    std::size_t i = 0;
    K::rest_fields(
        rest, [&](T & field, const FieldInfo&) __attribute__((always_inline)) { field = next(i++); });
    return rest;
}
template <class K, class T, class F>
[[gnu::always_inline]] inline typename K::template Material<T> make_material(F&& next) {
    typename K::template Material<T> material;
    std::size_t i = 0;
    K::material_fields(
        material, [&](T & field, const FieldInfo&) __attribute__((always_inline)) { field = next(i++); });
    return material;
}

}  // namespace pliant::constraints
