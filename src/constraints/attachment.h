// Holds two particles together. A fixed or moving target is a particle of its own without mass term
// (w = 0), so one formula serves points of the world and other particles alike.
//
//   C = |d|,  d = x₀ − x₁;   ∇₀C = d/|d|,  ∇₁C = −d/|d|
//
// One projection closes the gap in all three directions at once.
#pragma once

#include "constraints/kind.h"

namespace pliant::kinds {

struct Attachment {
    static constexpr const char* name = "attachment";
    static constexpr const char* summary = "Holds two particles together.";
    static constexpr int arity = 2;
    static constexpr int parameters = 0;
    static constexpr std::array<ParameterInfo, parameters> parameter_table{};
    static constexpr bool unit_gradients = true;
    static constexpr bool central_pair = true;

    template <class T>
    [[gnu::always_inline]] static inline Evaluation<T, arity> evaluate(const Vector3<T>* x, const T*) {
        const Vector3<T> d = x[0] - x[1];
        const T length = sqrt(dot(d, d));
        return {length, {d, -d}, length};
    }
};

}  // namespace pliant::kinds
