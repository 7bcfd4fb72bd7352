// Keeps the signed volume of a tetrahedron.
//
//   C = V − V₀,  6V = a×b·c,  a = x₁−x₀, b = x₂−x₀, c = x₃−x₀
//   6∇₁V = b×c,  6∇₂V = c×a,  6∇₃V = a×b,  ∇₀V = −(∇₁ + ∇₂ + ∇₃)V
//
// V₀: rest volume (m³). Signed, so that an inverted tetrahedron is pushed back through flat to V₀, from
// any depth; an unsigned volume would push it further in. ∇₀ as the negative sum keeps momentum.
#pragma once

#include "base/geometry/tetrahedron.h"
#include "constraints/kind.h"

namespace pliant::constraints::kinds {

struct Volume : NoMaterial {
    static constexpr const char* name = "volume";
    static constexpr const char* summary = "Keeps the signed volume of a tetrahedron.";
    static constexpr int arity = 4;
    static constexpr bool unit_gradients = false;
    static constexpr bool central_pair = false;
    static constexpr bool inequality = false;
    static constexpr bool runs_in_pbd = true;

    template <class T>
    struct Rest {
        T volume;  // m³
    };
    template <class R, class F>
    [[gnu::always_inline]] static constexpr void rest_fields(R& rest, F&& f) {
        f(rest.volume, FieldInfo{"rest_volume", "m³", "Where C is 0."});
    }

    static Rest<float> rest_of(const Vec3d* x) {
        return {static_cast<float>(tetrahedron_volume(x[0], x[1], x[2], x[3]))};
    }
    template <class T>
    [[gnu::always_inline]] static inline T measure(const Rest<T>& rest) {
        return rest.volume;
    }
    template <class T>
    static T error_scale(const Rest<T>& rest, T) {
        return rest.volume;
    }

    template <class T>
    [[gnu::always_inline]] static inline Evaluation<T, arity> evaluate(const Vector3<T>* x,
                                                                       const Rest<T>& rest,
                                                                       const Material<T>&) {
        const Vector3<T> a = x[1] - x[0], b = x[2] - x[0], c = x[3] - x[0];
        const Vector3<T> g1 = cross(b, c), g2 = cross(c, a), g3 = cross(a, b);
        const T volume = dot(g1, a) * (T(1) / T(6));
        return {volume - rest.volume, {-(g1 + g2 + g3), g1, g2, g3}, T(6)};
    }
};

}  // namespace pliant::constraints::kinds
