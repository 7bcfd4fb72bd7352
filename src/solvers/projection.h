// The one projection rule, for every kind and every number type.
//
// For a constraint with value C, gradients g/q, inverse masses w, multiplier λ:
//
//   Δλ = −β·(C + α̃·λ + γ·Ċ) / ((1 + γ)·Σ wᵢ|∇ᵢC|² + α̃),   Ċ = Σ ∇ᵢC·(xᵢ − pᵢ)
//   λ += Δλ,   xᵢ += wᵢ·Δλ·∇ᵢC
//
//   α̃ = α/h²   compliance α over the square of the substep h
//   γ = τ/h    τ = retardation time (s): damping over stiffness. In Macklin et al. 2016, eq. 26, their
//              γ = α̃·β̃/h with β̃ = h²·β, so τ = α·β; unlike β, τ also makes sense where α = 0
//   β          1 for XPBD; PBD's softness 1 − (1 − k)^(1/n), with α̃ = γ = 0
//   p          position at the start of the substep
//
// With g = q·∇C and t = Δλ/q, one division is left:
//
//   t = −β·((C + α̃·λ)·q + γ·Σ gᵢ·(xᵢ − pᵢ)) / ((1 + γ)·Σ wᵢ|gᵢ|² + α̃·q²);   xᵢ += wᵢ·t·gᵢ,  λ += t·q
//
// and with unit gradients (|gᵢ| = q) it shortens by q. A denominator of zero (all pinned, no gradient)
// or an overflow gives t = 0: the particles stay.
#pragma once

#include "base/unroll.h"
#include "constraints/kind.h"

namespace pliant {

template <class T>
struct Law {
    T compliance;              // α̃, apart from what grows with the rest measure
    T compliance_per_measure;  // α̃ per m or m³ of rest measure
    T damping;                 // γ
    T scale;                   // −β
    T inverse_scale;           // −1/β
};

// t of the rule above. rate: Σ gᵢ·(xᵢ − pᵢ), read only where Damped. λ is read only where Iterated: it
// is 0 in the first and only iteration of a substep.
template <class Kind, bool Iterated, bool Damped, class T>
[[gnu::always_inline]] inline T projection_step(const Evaluation<T, Kind::arity>& e, const T* w,
                                                const T* parameters, const Law<T>& law, T lambda, T rate) {
    T compliance = law.compliance;
    if constexpr (Kind::parameters > 0) compliance = compliance + law.compliance_per_measure * parameters[0];

    T value = e.value;
    if constexpr (Iterated) value = value + compliance * lambda;

    // Where the sign and 1/β go decides what the division waits for: the shorter branch takes them.
    if constexpr (Kind::unit_gradients) {
        T mass_term = w[0];
        unroll<Kind::arity - 1>([&](auto i) { mass_term = mass_term + w[i + 1]; });
        if constexpr (Damped) {
            value = value + law.damping * rate / e.divisor;
            mass_term = mass_term + law.damping * mass_term;
        }
        return divide_or_zero(value, (mass_term + compliance) * law.inverse_scale * e.divisor);
    } else {
        T mass_term =
            sum_over<Kind::arity>([&](auto i) { return w[i] * dot(e.gradients[i], e.gradients[i]); });
        value = value * e.divisor;
        if constexpr (Damped) {
            value = value + law.damping * rate;
            mass_term = mass_term + law.damping * mass_term;
        }
        return divide_or_zero(value * law.scale, mass_term + compliance * (e.divisor * e.divisor));
    }
}

}  // namespace pliant
