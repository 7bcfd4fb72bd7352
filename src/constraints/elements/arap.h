// As rigid as possible (corotated) elasticity with a term of volume:
//
//   Ψ = μ·|F − R|² + ½·λ·(J − 1)²,   R: the rotation next to F
//
// ∂|F − R|/∂F = (F − R)/|F − R|: the change of R is at right angles to F − R. Near rest this is Hooke's law
// with Young's modulus E and Poisson's ratio ν: 2μ = E/(1 + ν), λ = E·ν/((1 + ν)(1 − 2ν)). R is a true
// rotation, so that an inverted element is pulled through flat to its right side, and one that is crushed to
// a point opens. (Chao, Pinkall, Sanan, Schröder 2010; the volume as in McAdams et al. 2011.)
#pragma once

#include "constraints/elements/tetrahedron.h"

namespace pliant::constraints::kinds {

struct Arap : ElementEnergy<Arap> {
    static constexpr const char* name = "arap";
    static constexpr const char* summary = "Keeps a tetrahedron as rigid as possible.";

    template <class T>
    [[gnu::always_inline]] static inline Strain<T> strain_of(const Deformation<T>& d,
                                                             const Material<T>& material) {
        const Matrix3<T> r = polar_rotation(d.gradient, d.cof, d.j, contract(d.gradient, d.gradient));
        Matrix3<T> s = d.gradient - r;
        T square = contract(s, s);
        if (any(material.poisson_ratio < T(0.0f))) {
            const T trace = contract(r, s), less = less_dilation(material.poisson_ratio) * trace;
            s = s - r * less;
            square = max(square - less * trace, T(0.0f));
        }
        return {s, square, d.j - T(1.0f)};
    }
};

}  // namespace pliant::constraints::kinds
