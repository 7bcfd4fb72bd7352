// Saint Venant–Kirchhoff: Ψ = μ·|E|² + ½·λ·(J − 1)², E = ½(FᵀF − 1), ∂|E|/∂F = F·E/|E|. As of tetrahedra
// (elements/stvk.h), in the plane of a triangle.
#pragma once

#include "constraints/membranes/triangle.h"

namespace pliant::constraints::kinds {

struct StVKMembrane : MembraneEnergy<StVKMembrane> {
    static constexpr const char* name = "stvk_membrane";
    static constexpr const char* summary = "Keeps a triangle by its Green strain and its area.";

    template <class T>
    [[gnu::always_inline]] static inline MembraneStrain<T> strain_of(const MembraneDeformation<T>& d,
                                                                     const Material<T>& material) {
        const Columns2<T>& f = d.gradient;
        const T half(0.5f), one(1.0f);
        T uu = half * (dot(f.u, f.u) - one), vv = half * (dot(f.v, f.v) - one);
        const T uv = half * dot(f.u, f.v);
        T square = uu * uu + vv * vv + (uv * uv + uv * uv);
        if (any(material.poisson_ratio < T(0.0f))) {
            const T trace = uu + vv, less = less_dilation(material) * trace;
            uu = uu - less;
            vv = vv - less;
            square = max(square - less * trace, T(0.0f));
        }
        return {{f.u * uu + f.v * uv, f.u * uv + f.v * vv}, square, d.j - one};
    }
};

}  // namespace pliant::constraints::kinds
