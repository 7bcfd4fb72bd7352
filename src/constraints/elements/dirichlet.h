// Dirichlet energy: Ψ = ½·E·|F|², P = E·F.
//
// It has no rest shape but the point: what is not held shrinks. Held at its ends, it is a soap film or a
// stretched rubber thread.
#pragma once

#include "constraints/elements/tetrahedron.h"

namespace pliant::constraints::kinds {

struct Dirichlet : TetrahedronElement {
    static constexpr const char* name = "dirichlet";
    static constexpr const char* summary = "Shrinks a tetrahedron.";
    static constexpr int rows = 1;

    template <class T>
    [[gnu::always_inline]] static inline BlockEvaluation<T, 4, 1> evaluate(const Vector3<T>* x,
                                                                           const Rest<T>& rest,
                                                                           const Material<T>&) {
        const Matrix3<T> f = gradient_of(x, rest);
        const T square = contract(f, f);
        return {{square}, {square}, {row(f, rest)}};
    }
    template <class T>
    [[gnu::always_inline]] static inline std::array<T, 1> ratios(const Material<T>&) {
        return {T(1.0f)};
    }
    template <class T>
    static T energy_density(const Matrix3<T>& f, const Material<T>&) {
        return contract(f, f) / T(2);
    }
    template <class T>
    static Matrix3<T> stress(const Matrix3<T>& f, const Material<T>&) {
        return f;
    }
    template <class T>
    static T energy(const Vector3<T>* x, const Rest<T>& rest, const Material<T>& material) {
        return energy_density(gradient_of(x, rest), material) / rest.inverse_volume;
    }
};

}  // namespace pliant::constraints::kinds
