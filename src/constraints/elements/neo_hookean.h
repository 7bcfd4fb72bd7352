// Stable Neo-Hookean elasticity:
//
//   Ψ = ½·μ·(|F|² − 3) + ½·λ̂·(J − 1 − μ/λ̂)² − const,   λ̂ = λ + μ
//
// Near rest this is Hooke's law: μ = E/2(1 + ν), μ/λ̂ = 1 − 2ν. No rotation is needed, which makes it the
// cheapest. Its rows balance at rest: |F| pulls to a point, the volume holds against it. What is crushed to a
// point has no gradient of volume and stays there. For ν ≥ 0.4. (Smith, de Goes, Kim 2018; Macklin, Müller
// 2021.)
#pragma once

#include "constraints/elements/tetrahedron.h"

namespace pliant::constraints::kinds {

struct NeoHookean : ElementEnergy<NeoHookean> {
    static constexpr const char* name = "neo_hookean";
    static constexpr const char* summary = "Lets a tetrahedron give way like rubber.";

    template <class T>
    [[gnu::always_inline]] static inline Strain<T> strain_of(const Deformation<T>& d,
                                                             const Material<T>& material) {
        const T target = T(2.0f) - T(2.0f) * material.poisson_ratio;  // 1 + μ/λ̂
        return {d.gradient, contract(d.gradient, d.gradient), d.j - target};
    }
    template <class T>
    [[gnu::always_inline]] static inline std::array<T, 2> ratios(const Material<T>& material) {
        const T two(2.0f), one(1.0f), of_shape = two * (one + material.poisson_ratio);
        return {of_shape, of_shape * (one - two * material.poisson_ratio)};
    }
    template <class T>
    static T energy_at_rest(const Material<T>& material) {
        const std::array<T, 2> r = ratios(material);
        const T volume = T(2) * material.poisson_ratio - T(1);
        return T(3) / (T(2) * r[0]) + volume * volume / (T(2) * r[1]);
    }
};

}  // namespace pliant::constraints::kinds
