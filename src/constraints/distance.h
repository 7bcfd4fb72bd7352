// Keeps two particles at a distance.
//
//   C = |d| − L,  d = x₀ − x₁;   ∇₀C = d/|d|,  ∇₁C = −d/|d|
//
// L: rest length (m). With g = ±d the common divisor is |d|. Where the particles coincide there is no
// direction: q = 0, and the projection leaves them alone.
#pragma once

#include "constraints/kind.h"

namespace pliant::kinds {

struct Distance {
    static constexpr const char* name = "distance";
    static constexpr const char* summary = "Keeps two particles at a distance.";
    static constexpr int arity = 2;
    static constexpr int parameters = 1;
    static constexpr std::array<ParameterInfo, parameters> parameter_table{
        {{"rest_length", "m", "Where C is 0."}}};
    static constexpr bool unit_gradients = true;
    static constexpr bool central_pair = true;

    template <class T>
    [[gnu::always_inline]] static inline Evaluation<T, arity> evaluate(const Vector3<T>* x, const T* rest) {
        const Vector3<T> d = x[0] - x[1];
        const T length = sqrt(dot(d, d));
        return {length - rest[0], {d, -d}, length};
    }
};

}  // namespace pliant::kinds
