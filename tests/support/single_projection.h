// The projection rule applied to one constraint, in any number type.
#pragma once

#include <array>
#include <cstddef>

#include "solvers/position_based/block_projection.h"
#include "support/constraint_states.h"

namespace pliant::test {

using namespace solvers::position_based;

template <class Kind, class T>
struct SingleConstraint {
    Sample<Kind, T> state;
    std::array<T, Kind::arity> w{};
    std::array<Vector3<T>, Kind::arity> start = state.x;  // where the substep began
    T lambda{};

    T gradient_square() const {  // Σ wᵢ|∇ᵢC|²
        const auto e = state.evaluate();
        T sum{};
        for (std::size_t k = 0; k < Kind::arity; ++k) sum += w[k] * dot(e.gradients[k], e.gradients[k]);
        return sum / (e.divisor * e.divisor);
    }

    // Σ gᵢ·(xᵢ − pᵢ)
    T rate(const Evaluation<T, Kind::arity>& e) const {
        T sum{};
        for (std::size_t k = 0; k < Kind::arity; ++k) sum += dot(e.gradients[k], state.x[k] - start[k]);
        return sum;
    }

    template <ProjectionForm Form>
    void project(const Softness<T>& softness) requires BlockKind<Kind> {
        const auto e = state.evaluate();
        const auto t = block_step<Kind, Form>(e, w.data(), state.rest, state.material, softness, {}, {});
        for (std::size_t k = 0; k < Kind::arity; ++k) {
            for (std::size_t r = 0; r < Kind::rows; ++r)
                state.x[k] = state.x[k] + (e.gradients[r][k] * w[k]) * t[r];
        }
    }

    template <ProjectionForm Form>
    void project(const Softness<T>& softness) {
        const auto e = state.evaluate();
        const T t = projection_step<Kind, Form>(e, mass_term<Kind>(e, w.data()), state.rest, softness, lambda,
                                                is_damped(Form) ? rate(e) : T(0));
        for (std::size_t k = 0; k < Kind::arity; ++k) state.x[k] = state.x[k] + (e.gradients[k] * w[k]) * t;
        lambda += t * e.divisor;
    }
};

// XPBD with compliance α̃ (per substep squared) and damping γ.
template <class T>
Softness<T> xpbd_softness(T compliance, T damping = T(0)) {
    return {.compliance = compliance,
            .compliance_per_measure = T(0),
            .least_compliance = T(0),
            .damping = damping,
            .scale = T(-1),
            .inverse_scale = T(-1)};
}

template <class Kind, class T>
SingleConstraint<Kind, T> with_random_masses(const Sample<Kind, T>& state, RandomSource& random) {
    SingleConstraint<Kind, T> constraint{state};
    for (T& w : constraint.w) w = static_cast<T>(random.real(0.2, 5));
    return constraint;
}

}  // namespace pliant::test
