// Keeps the angle by which a chain of three particles bends.
//
//   d₁ = x₁ − x₀,  d₂ = x₂ − x₁,  c = d₁ × d₂;   θ = atan2(|c|, d₁·d₂): 0 is straight, π folded back
//   C = θ − k·θ₀
//   |c|·∇₀C = d₂ − d₁·(d₁·d₂)/|d₁|²,   |c|·∇₂C = −d₁ + d₂·(d₁·d₂)/|d₂|²,   ∇₁C = −∇₀C − ∇₂C
//
// θ₀: rest angle (rad), k: curl, the share of its rest angle that the material keeps. A strand of bending
// stiffness B (N·m²) has the energy ½·(B/l)·C² at each inner particle, l: half the length of both segments at
// rest (m); hence the compliance l/B, which scales with l: the same strand, however finely it is cut.
// The angle has no sign: it says how much the chain bends, not to which side. A straight chain stays
// straight. atan2 instead of acos, whose derivative is infinite at 0. Straight, there is no direction to bend
// in: q = 0.
#pragma once

#include "base/arctangent.h"
#include "base/convert.h"
#include "constraints/kind.h"

namespace pliant::constraints::kinds {

struct Angle {
    static constexpr const char* name = "angle";
    static constexpr const char* summary = "Keeps the angle by which a chain of three particles bends.";
    static constexpr int arity = 3;
    static constexpr bool unit_gradients = false;
    static constexpr bool central_pair = false;
    static constexpr bool inequality = false;
    static constexpr bool runs_in_pbd = true;

    template <class T>
    struct Rest {
        T angle;   // rad
        T length;  // m
    };
    template <class R, class F>
    [[gnu::always_inline]] static constexpr void rest_fields(R& rest, F&& f) {
        f(rest.angle, FieldInfo{"rest_angle", "rad", "Between the segments; 0 is straight."});
        f(rest.length, FieldInfo{"rest_length", "m", "Half the length of both segments."});
    }
    template <class T>
    struct Material {
        T curl;
    };
    template <class M, class F>
    [[gnu::always_inline]] static constexpr void material_fields(M& material, F&& f) {
        f(material.curl, FieldInfo{"curl", "", "Share of the rest angle that it keeps; 0 is straight."});
    }

    static Rest<float> rest_of(const Vec3d* x) {
        const Vec3d d1 = x[1] - x[0], d2 = x[2] - x[1], c = cross(d1, d2);
        return {static_cast<float>(arctangent(pliant::length(c), dot(d1, d2))),
                static_cast<float>((pliant::length(d1) + pliant::length(d2)) / 2)};
    }
    template <class T>
    [[gnu::always_inline]] static inline T measure(const Rest<T>& rest) {
        return rest.length;
    }
    template <class T>
    static T error_scale(const Rest<T>&, T) {
        return T(1);  // rad
    }

    template <class T>
    [[gnu::always_inline]] static inline Evaluation<T, arity> evaluate(const Vector3<T>* x,
                                                                       const Rest<T>& rest,
                                                                       const Material<T>& material) {
        const Vector3<T> d1 = x[1] - x[0], d2 = x[2] - x[1], c = cross(d1, d2);
        const T along = dot(d1, d2), across = sqrt(dot(c, c));
        const Vector3<T> g0 = d2 - d1 * divide_or_zero(along, dot(d1, d1));
        const Vector3<T> g2 = d2 * divide_or_zero(along, dot(d2, d2)) - d1;
        const T angle = arctangent(across, along);
        return {angle - material.curl * rest.angle, {g0, -(g0 + g2), g2}, across};
    }
};

}  // namespace pliant::constraints::kinds
