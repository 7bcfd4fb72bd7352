// The projection rule for a block of rows (constraints/block.h), for every number type.
//
// For rows with values Cᵣ, gradients gᵣ/qᵣ, multipliers λᵣ, and α̃ᵣ = ρᵣ·α̃, as in projection.h:
//
//   Σₛ ((1 + γ)·Σᵢ wᵢ gᵣᵢ·gₛᵢ + δᵣₛ·α̃ᵣ·qᵣ²)·tₛ = −((Cᵣ + α̃ᵣ·λᵣ)·qᵣ + γ·Σᵢ gᵣᵢ·(xᵢ − pᵢ))
//   xᵢ += wᵢ·Σᵣ tᵣ·gᵣᵢ,   λᵣ += tᵣ·qᵣ
//
// Where a coarse level carries what one sweep cannot, α̃ is bounded below by the mass term A = w̄·Σ|∇N|² of the
// element, w̄ the mean of its inverse masses (coarse_level.h).
//
// The diagonal is made larger by a hundred-thousandth: rows that pull alike (an element that is blown up
// evenly) would have a determinant of 0. A determinant of 0 nevertheless (all held, no strain), an overflow
// or a NaN give t = 0: the particles stay.
#pragma once

#include "base/unroll.h"
#include "constraints/block.h"
#include "solvers/position_based/projection.h"

namespace pliant::solvers::position_based {

// α̃ of an element, to be multiplied by the ratio of each row. NaN if a rest value is.
template <class Kind, class T>
[[gnu::always_inline]] inline T element_compliance(const T* w, const typename Kind::template Rest<T>& rest,
                                                   const Softness<T>& softness) {
    const T compliance = softness.compliance + softness.compliance_per_measure * Kind::measure(rest);
    const T mean_mass = sum_over<Kind::arity>([&](auto k) { return w[k]; }) * T(1.0f / Kind::arity);
    const T least = softness.least_compliance * (mean_mass * Kind::gradient_square(rest));
    return compliance + max(T(0.0f), least - compliance);
}

// t of the rule above. Multipliers and rates Σ gᵣᵢ·(xᵢ − pᵢ) are read if the form has them.
template <class Kind, ProjectionForm Form, class T>
[[gnu::always_inline]] inline std::array<T, Kind::rows> block_step(
    const constraints::BlockEvaluation<T, Kind::arity, Kind::rows>& e, const T* w,
    const typename Kind::template Rest<T>& rest, const typename Kind::template Material<T>& material,
    const Softness<T>& softness, const std::array<T, Kind::rows>& lambdas,
    const std::array<T, Kind::rows>& rates) {
    static_assert(Kind::rows <= 2);
    const T compliance = element_compliance<Kind>(w, rest, softness);
    const std::array<T, Kind::rows> ratios = Kind::ratios(material);
    const auto masses = [&](auto r, auto s) __attribute__((always_inline)) {
        T sum =
            sum_over<Kind::arity>([&](auto k) { return w[k] * dot(e.gradients[r][k], e.gradients[s][k]); });
        if constexpr (is_damped(Form)) sum = sum + softness.damping * sum;
        return sum;
    };
    std::array<T, Kind::rows> diagonal, values;
    unroll<Kind::rows>([&](auto r) {
        const T soft = ratios[r] * compliance;
        diagonal[r] = (masses(r, r) + soft * e.squared_divisors[r]) * T(1.00001f);
        values[r] = e.values[r];
        if constexpr (keeps_multipliers(Form))
            values[r] = values[r] + soft * lambdas[r] * sqrt(e.squared_divisors[r]);
        if constexpr (is_damped(Form)) values[r] = values[r] + softness.damping * rates[r];
    });
    const auto finite = [](const T& t) __attribute__((always_inline)) {
        return select(abs(t) < T(1e30f), t, T(0.0f));
    };
    if constexpr (Kind::rows == 1) {
        return {divide_or_zero(-values[0], diagonal[0])};
    } else {
        const T mixed = masses(std::integral_constant<int, 0>(), std::integral_constant<int, 1>());
        const T inverse = divide_or_zero(T(1.0f), diagonal[0] * diagonal[1] - mixed * mixed);
        return {finite((mixed * values[1] - diagonal[1] * values[0]) * inverse),
                finite((mixed * values[0] - diagonal[0] * values[1]) * inverse)};
    }
}

}  // namespace pliant::solvers::position_based
