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
requires(!constraints::is_compensated<Kind>)
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

namespace detail {

// t of A·t = −values for a symmetric A with up to three rows, given by its lower triangle; 0 where A is
// singular or a number is out of range.
template <int Rows, class T>
[[gnu::always_inline]] inline std::array<T, Rows> solve_rows(const std::array<std::array<T, Rows>, Rows>& a,
                                                             const std::array<T, Rows>& values) {
    const auto finite = [](const T& t) __attribute__((always_inline)) {
        return select(abs(t) < T(1e30f), t, T(0.0f));
    };
    const T one(1.0f);
    if constexpr (Rows == 1) {
        return {divide_or_zero(-values[0], a[0][0])};
    } else {
        const T i0 = divide_or_zero(one, a[0][0]), l10 = a[1][0] * i0;
        const T i1 = divide_or_zero(one, a[1][1] - l10 * a[1][0]);
        const T y1 = values[1] - l10 * values[0];
        if constexpr (Rows == 2) {
            const T t1 = finite(-y1 * i1);
            return {finite(-values[0] * i0 - l10 * t1), t1};
        } else {
            const T l20 = a[2][0] * i0, m21 = a[2][1] - l20 * a[1][0], l21 = m21 * i1;
            const T i2 = divide_or_zero(one, a[2][2] - l20 * a[2][0] - l21 * m21);
            const T t2 = finite(-(values[2] - l20 * values[0] - l21 * y1) * i2);
            const T t1 = finite(-y1 * i1 - l21 * t2);
            return {finite(-values[0] * i0 - l10 * t1 - l20 * t2), t1, t2};
        }
    }
}

}  // namespace detail

// The same for kinds whose compliance is compensated for that of one sweep (projection.h): with the mass
// terms M, the compliances S̃ become S̃ − M/2, but none of its diagonal less than 0:
//
//   (M/2 + S̃ + max(M/2 − S̃, 0) on the diagonal)·t = …
//
// A row with a limit l of strain, whose projection with α̃ would leave more than l, gets M·l/(C − l) for α̃.
template <class Kind, ProjectionForm Form, class T>
requires constraints::is_compensated<Kind>
[[gnu::always_inline]] inline std::array<T, Kind::rows> block_step(
    const constraints::BlockEvaluation<T, Kind::arity, Kind::rows>& e, const T* w,
    const typename Kind::template Rest<T>& rest, const typename Kind::template Material<T>& material,
    const Softness<T>& softness, const std::array<T, Kind::rows>& lambdas,
    const std::array<T, Kind::rows>& rates) {
    constexpr int rows = Kind::rows;
    constexpr bool once = !keeps_multipliers(Form);
    const T compliance = softness.compliance + softness.compliance_per_measure * Kind::measure(rest);
    const std::array<T, rows> ratios = Kind::ratios(material);
    std::array<std::array<T, rows>, rows> a;
    std::array<T, rows> values, soft;
    unroll<rows>([&](auto r) {
        unroll<r + 1>([&](auto s) {
            T sum = sum_over<Kind::arity>(
                [&](auto k) { return w[k] * dot(e.gradients[r][k], e.gradients[s][k]); });
            if constexpr (is_damped(Form)) sum = sum + softness.damping * sum;
            a[r][s] = sum;
        });
        soft[r] = ratios[r] * compliance * e.squared_divisors[r];
        values[r] = e.values[r];
        if constexpr (keeps_multipliers(Form))
            values[r] = values[r] + ratios[r] * compliance * lambdas[r] * sqrt(e.squared_divisors[r]);
        if constexpr (is_damped(Form)) values[r] = values[r] + softness.damping * rates[r];
    });
    if constexpr (requires { Kind::mixed_ratio(material); }) {
        const T zero(0.0f), limit = Kind::limit(material);
        T share(1.0f);
        unroll<2>([&](auto r) {
            const T excess = values[r] - limit;
            const auto exceeds = (limit > zero) & (excess > zero);
            const T left = select(exceeds, min(soft[r], a[r][r] * divide_or_zero(limit, excess)), soft[r]);
            share = share * divide_or_zero(left, soft[r]);
            soft[r] = left;
        });
        const T mixed = Kind::mixed_ratio(material) * compliance * sqrt(share);
        if constexpr (keeps_multipliers(Form)) {
            values[0] = values[0] + mixed * lambdas[1];
            values[1] = values[1] + mixed * lambdas[0];
        }
        a[1][0] = (once ? T(0.5f) * a[1][0] : a[1][0]) + mixed;
        if constexpr (rows == 3 && once) {
            a[2][0] = T(0.5f) * a[2][0];
            a[2][1] = T(0.5f) * a[2][1];
        }
    } else if constexpr (rows == 2 && once) {
        a[1][0] = T(0.5f) * a[1][0];
    }
    unroll<rows>([&](auto r) {
        const T sum = once ? max(a[r][r], T(0.5f) * a[r][r] + soft[r]) : a[r][r] + soft[r];
        a[r][r] = sum * T(1.00001f);
    });
    return detail::solve_rows<rows, T>(a, values);
}

}  // namespace pliant::solvers::position_based
