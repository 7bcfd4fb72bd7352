// Keeps two particles at a distance.
//
//   C = |d| − L,  d = x₀ − x₁;   ∇₀C = d/|d|,  ∇₁C = −d/|d|
//
// L: rest length (m). With g = ±d the common divisor is |d|. Where the particles coincide there is no
// direction: q = 0, and the projection leaves them alone.
#pragma once

#include "base/convert.h"
#include "constraints/kind.h"

namespace pliant::constraints::kinds {

struct Distance : NoMaterial {
    static constexpr const char* name = "distance";
    static constexpr const char* summary = "Keeps two particles at a distance.";
    static constexpr int arity = 2;
    static constexpr bool unit_gradients = true;
    static constexpr bool central_pair = true;
    static constexpr bool inequality = false;
    static constexpr bool runs_in_pbd = true;

    template <class T>
    struct Rest {
        T length;  // m
    };
    template <class R, class F>
    [[gnu::always_inline]] static constexpr void rest_fields(R& rest, F&& f) {
        f(rest.length, FieldInfo{"rest_length", "m", "Where C is 0."});
    }

    static Rest<float> rest_of(const Vec3d* x) { return {static_cast<float>(length(x[0] - x[1]))}; }
    template <class T>
    [[gnu::always_inline]] static inline T measure(const Rest<T>& rest) {
        return rest.length;
    }
    template <class T>
    static T error_scale(const Rest<T>& rest, T) {
        return rest.length;
    }

    template <class T>
    [[gnu::always_inline]] static inline Evaluation<T, arity> evaluate(const Vector3<T>* x,
                                                                       const Rest<T>& rest,
                                                                       const Material<T>&) {
        const Vector3<T> d = x[0] - x[1];
        const T length = sqrt(dot(d, d));
        return {length - rest.length, {d, -d}, length};
    }
};

}  // namespace pliant::constraints::kinds
