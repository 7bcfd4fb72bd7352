// As rigid as possible: Ψ = μ·|F − R|² + ½·λ·(J − 1)², R: the rotation next to F. As of tetrahedra
// (elements/arap.h), in the plane of a triangle.
#pragma once

#include "constraints/membranes/triangle.h"

namespace pliant::constraints::kinds {

struct ArapMembrane : MembraneEnergy<ArapMembrane> {
    static constexpr const char* name = "arap_membrane";
    static constexpr const char* summary = "Keeps a triangle as rigid as possible.";

    template <class T>
    [[gnu::always_inline]] static inline MembraneStrain<T> strain_of(const MembraneDeformation<T>& d,
                                                                     const Material<T>& material) {
        const Columns2<T> r = rotation_of(d);
        Columns2<T> s = d.gradient - r;
        T square = contract(s, s);
        if (any(material.poisson_ratio < T(0.0f))) {
            const T trace = contract(r, s), less = less_dilation(material) * trace;
            s = s - r * less;
            square = max(square - less * trace, T(0.0f));
        }
        return {s, square, d.j - T(1.0f)};
    }
};

}  // namespace pliant::constraints::kinds
