// One rigid projection (α = 0) in double, by the engine's own rule. The only place in the tests of physics
// that calls projection_step.
#pragma once

#include <cstddef>

#include "solvers/position_based/projection.h"

namespace pliant::test {

// Moves x, and returns Δλ.
template <class Kind>
double project(Vec3d* x, const double* w, const typename Kind::template Rest<double>& rest) {
    using namespace solvers::position_based;
    const Softness<double> rigid{.compliance = 0,
                                 .compliance_per_measure = 0,
                                 .least_compliance = 0,
                                 .damping = 0,
                                 .scale = -1,
                                 .inverse_scale = -1};
    const Evaluation<double, Kind::arity> e = Kind::template evaluate<double>(x, rest, {});
    const double masses = mass_term<Kind>(e, w);
    const double t = projection_step<Kind, ProjectionForm::single>(e, masses, rest, rigid, 0.0, 0.0);
    for (std::size_t i = 0; i < std::size_t(Kind::arity); ++i) x[i] = x[i] + e.gradients[i] * (w[i] * t);
    return t * e.divisor;
}

}  // namespace pliant::test
