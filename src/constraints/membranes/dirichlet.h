// Dirichlet energy: Ψ = ½·Y·|F|². It has no rest shape but the point: held at its rim, it is a soap film.
#pragma once

#include "constraints/membranes/triangle.h"

namespace pliant::constraints::kinds {

struct DirichletMembrane : TriangleMembrane, NoMaterial {
    static constexpr const char* name = "dirichlet_membrane";
    static constexpr const char* summary = "Shrinks a triangle.";
    static constexpr int rows = 1;

    template <class T>
    [[gnu::always_inline]] static inline BlockEvaluation<T, 3, 1> evaluate(const Vector3<T>* x,
                                                                           const Rest<T>& rest,
                                                                           const Material<T>&) {
        const Columns2<T> f = gradient_of(x, rest);
        const T square = contract(f, f);
        return {{square}, {square}, {row(f, rest)}};
    }
    template <class T>
    [[gnu::always_inline]] static inline std::array<T, 1> ratios(const Material<T>&) {
        return {T(1.0f)};
    }
    template <class T>
    static T energy(const Vector3<T>* x, const Rest<T>& rest, const Material<T>&) {
        const Columns2<T> f = gradient_of(x, rest);
        return contract(f, f) / (T(2) * rest.inverse_area);
    }
};

}  // namespace pliant::constraints::kinds
