// Holds two particles together. A fixed or moving target is a particle of its own without mass term
// (w = 0), so one formula serves points of the world and other particles alike.
//
//   C = |d|,  d = x₀ − x₁;   ∇₀C = d/|d|,  ∇₁C = −d/|d|
//
// One projection closes the gap in all three directions at once.
#pragma once

#include "constraints/kind.h"

namespace pliant::constraints::kinds {

struct Attachment : NoRest, NoMaterial {
    static constexpr const char* name = "attachment";
    static constexpr const char* summary = "Holds two particles together.";
    static constexpr int arity = 2;
    static constexpr bool unit_gradients = true;
    static constexpr bool central_pair = true;
    static constexpr bool inequality = false;
    static constexpr bool runs_in_pbd = true;

    // A gap is small or large against the bodies that it joins.
    template <class T>
    static T error_scale(const Rest<T>&, T size) {
        return size;
    }

    template <class T>
    [[gnu::always_inline]] static inline Evaluation<T, arity> evaluate(const Vector3<T>* x, const Rest<T>&,
                                                                       const Material<T>&) {
        const Vector3<T> d = x[0] - x[1];
        const T length = sqrt(dot(d, d));
        return {length, {d, -d}, length};
    }
};

}  // namespace pliant::constraints::kinds
