// What a constraint kind is: a formula, and nothing else.
//
// A kind says how many particles it joins (arity), how many parameters each constraint carries, and
// evaluates C with its gradients for any number type T: float, double, or SIMD lanes.
//
//   struct SomeKind {
//       static constexpr const char *name, *summary;
//       static constexpr int arity, parameters;
//       static constexpr std::array<ParameterInfo, parameters> parameter_table;
//       static constexpr bool unit_gradients;     // every |∇ᵢC| = 1: shortens the projection
//       static constexpr bool central_pair;       // two particles, g₀ = x₀ − x₁ = −g₁: halves the loading
//       template <class T> static Evaluation<T, arity> evaluate(const Vector3<T>* x, const T* parameters);
//   };
//
// The gradients come as g with a common divisor q, the true gradient being g/q. That keeps division
// out of the formula: the projection divides once (see solvers/projection.h).
//
// The first parameter is the constraint's rest measure (length, volume), if it has parameters at all.
#pragma once

#include <pliant/vector.h>

#include <array>
#include <concepts>

#include "base/scalar.h"

namespace pliant {

struct ParameterInfo {
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

template <class K>
concept ConstraintKind = requires(const Vector3<double>* x, const double* p) {
    { K::name } -> std::convertible_to<const char*>;
    { K::evaluate(x, p) } -> std::same_as<Evaluation<double, K::arity>>;
    { K::unit_gradients } -> std::convertible_to<bool>;
    { K::central_pair } -> std::convertible_to<bool>;
    requires K::arity >= 1 && K::parameter_table.size() == K::parameters;
};

}  // namespace pliant
