// Saint Venant–Kirchhoff elasticity with a term of volume:
//
//   Ψ = μ·|E|² + ½·λ·(J − 1)²,   E = ½(FᵀF − 1)
//   ∂|E|/∂F = F·E/|E|
//
// Near rest this is Hooke's law. The classical term ½·λ·tr(E)² gives way when pressed flat; J − 1 does not.
// The strain E does not know mirrored from not: the row of volume alone turns an inverted element.
#pragma once

#include "constraints/elements/tetrahedron.h"

namespace pliant::constraints::kinds {

struct StVK : ElementEnergy<StVK> {
    static constexpr const char* name = "stvk";
    static constexpr const char* summary = "Keeps a tetrahedron by its Green strain and its volume.";

    template <class T>
    [[gnu::always_inline]] static inline Strain<T> strain_of(const Deformation<T>& d,
                                                             const Material<T>& material) {
        const Matrix3<T> c = gram(d.gradient);
        Matrix3<T> e = (c - diagonal(T(1.0f))) * T(0.5f);
        T square = contract(e, e);
        if (any(material.poisson_ratio < T(0.0f))) {
            const T trace = e.x.x + e.y.y + e.z.z, less = less_dilation(material.poisson_ratio) * trace;
            e = e - diagonal(less);
            square = max(square - less * trace, T(0.0f));
        }
        return {d.gradient * e, square, d.j - T(1.0f)};
    }
};

}  // namespace pliant::constraints::kinds
