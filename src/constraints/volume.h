// Keeps the signed volume of a tetrahedron.
//
//   C = V − V₀,  6V = a×b·c,  a = x₁−x₀, b = x₂−x₀, c = x₃−x₀
//   6∇₁V = b×c,  6∇₂V = c×a,  6∇₃V = a×b,  ∇₀V = −(∇₁ + ∇₂ + ∇₃)V
//
// V₀: rest volume (m³). Signed, so that an inverted tetrahedron is pushed back through flat to V₀, from
// any depth; an unsigned volume would push it further in. ∇₀ as the negative sum keeps momentum.
#pragma once

#include "constraints/kind.h"

namespace pliant::kinds {

struct Volume {
    static constexpr const char* name = "volume";
    static constexpr const char* summary = "Keeps the signed volume of a tetrahedron.";
    static constexpr int arity = 4;
    static constexpr int parameters = 1;
    static constexpr std::array<ParameterInfo, parameters> parameter_table{
        {{"rest_volume", "m³", "Where C is 0."}}};
    static constexpr bool unit_gradients = false;
    static constexpr bool central_pair = false;

    template <class T>
    [[gnu::always_inline]] static inline Evaluation<T, arity> evaluate(const Vector3<T>* x, const T* rest) {
        const Vector3<T> a = x[1] - x[0], b = x[2] - x[0], c = x[3] - x[0];
        const Vector3<T> g1 = cross(b, c), g2 = cross(c, a), g3 = cross(a, b);
        const T volume = dot(g1, a) * (T(1) / T(6));
        return {volume - rest[0], {-(g1 + g2 + g3), g1, g2, g3}, T(6)};
    }
};

}  // namespace pliant::kinds
