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
// One sweep adds a compliance of its own. At rest under gravity the multipliers of all constraints balance,
// Σⱼ Aᵢⱼ·λⱼ = 0 with A = ∇C·W·∇Cᵀ, but constraint i sees those before it only: of the others, about half of
// them, it is Aᵢᵢ/2 softer than α̃. Kinds with a material's stiffness (is_compensated) have that taken off: α̃
// − Aᵢᵢ/2, if it is not below 0. So one sweep gives exactly what is asked for up to a stiffness of 2/Aᵢᵢ.
//
// and with unit gradients (|gᵢ| = q) it shortens by q. A denominator of zero (all pinned, no gradient), an
// overflow or a NaN gives t = 0: the particles stay. A kind with most_change changes C by no more than that
// in one projection. An inequality acts only where C < 0: its λ stays ≥ 0.
#pragma once

#include "base/unroll.h"
#include "constraints/kind.h"
#include "solvers/position_based/softness.h"

namespace pliant::solvers::position_based {

using constraints::Evaluation;

// Σ wᵢ|gᵢ|², or with unit gradients, where it would only be divided by q² again, Σ wᵢ.
template <class Kind, class T>
[[gnu::always_inline]] inline T mass_term(const Evaluation<T, Kind::arity>& e, const T* w) {
    return sum_over<Kind::arity>([&](auto i) {
        if constexpr (Kind::unit_gradients) {
            return w[i];
        } else {
            return w[i] * dot(e.gradients[i], e.gradients[i]);
        }
    });
}

// How much of the rule a run needs: what is left out is not loaded, computed or stored.
enum class ProjectionForm {
    rigid,        // α̃ = γ = 0, β = 1
    single,       // one iteration: λ is 0 throughout
    iterated,     // λ is kept from one iteration to the next
    damped_once,  // as single, with γ
    damped,       // as iterated, with γ
};
inline constexpr int projection_forms = 5;

constexpr bool keeps_multipliers(ProjectionForm form) {
    return form == ProjectionForm::iterated || form == ProjectionForm::damped;
}
constexpr bool is_damped(ProjectionForm form) { return form >= ProjectionForm::damped_once; }

// What a softness needs.
inline ProjectionForm form_of(const Softness<float>& softness, int iterations) {
    const bool once = iterations == 1;
    if (softness.damping > 0) return once ? ProjectionForm::damped_once : ProjectionForm::damped;
    const bool compliant = softness.compliance > 0 || softness.compliance_per_measure > 0;
    if (compliant && !once) return ProjectionForm::iterated;
    return compliant || softness.scale != -1 ? ProjectionForm::single : ProjectionForm::rigid;
}

namespace detail {

// t of the rule above, for an equality.
template <class Kind, ProjectionForm Form, class T>
[[gnu::always_inline]] inline T equality_step(const Evaluation<T, Kind::arity>& e, T masses,
                                              const typename Kind::template Rest<T>& rest,
                                              const Softness<T>& softness, T lambda, T rate) {
    if constexpr (Form == ProjectionForm::rigid) {
        if constexpr (Kind::unit_gradients) return divide_or_zero(e.value, -masses * e.divisor);
        return divide_or_zero(-e.value * e.divisor, masses);
    }
    T compliance = softness.compliance;
    if constexpr (constraints::rest_size < Kind >> 0)
        compliance = compliance + softness.compliance_per_measure * Kind::measure(rest);
    T value = e.value;
    if constexpr (keeps_multipliers(Form)) value = value + compliance * lambda;
    if constexpr (is_damped(Form)) masses = masses + softness.damping * masses;

    // Where the sign and β go decides what the division waits for: the shorter branch takes them.
    if constexpr (Kind::unit_gradients) {
        if constexpr (is_damped(Form)) value = value + softness.damping * rate / e.divisor;
        return divide_or_zero(value, (masses + compliance) * softness.inverse_scale * e.divisor);
    } else {
        value = value * e.divisor;
        if constexpr (is_damped(Form)) value = value + softness.damping * rate;
        const T soft = compliance * (e.divisor * e.divisor);
        if constexpr (constraints::is_compensated<Kind> && !keeps_multipliers(Form))
            return divide_or_zero(value * softness.scale, max(masses, T(0.5f) * masses + soft));
        return divide_or_zero(value * softness.scale, masses + soft);
    }
}

}  // namespace detail

// t of the rule above; masses: mass_term; rate: Σ gᵢ·(xᵢ − pᵢ).
template <class Kind, ProjectionForm Form, class T>
[[gnu::always_inline]] inline T projection_step(const Evaluation<T, Kind::arity>& e, T masses,
                                                const typename Kind::template Rest<T>& rest,
                                                const Softness<T>& softness, T lambda, T rate) {
    const T t = detail::equality_step<Kind, Form>(e, masses, rest, softness, lambda, rate);
    if constexpr (requires { Kind::most_change; }) {
        const T most = divide_or_zero(T(-Kind::most_change) * softness.scale * e.divisor, masses);
        return max(min(t, most), -most);
    } else if constexpr (Kind::inequality) {
        return max(t, divide_or_zero(-lambda, e.divisor));  // λ + t·q ≥ 0
    } else {
        return t;
    }
}

}  // namespace pliant::solvers::position_based
