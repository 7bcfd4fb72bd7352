// One rigid projection (α = 0) in double, by the engine's own rule. The only place in the tests of physics
// that calls projection_step.
#pragma once

#include <cstddef>

#include "solvers/projection.h"

namespace pliant::test {

// Moves x, and returns Δλ.
template <class Kind>
double project(Vec3d* x, const double* w, const double* parameters) {
    const Law<double> law{0, 0, 0, -1, -1};
    const Evaluation<double, Kind::arity> e = Kind::template evaluate<double>(x, parameters);
    const double masses = mass_term<Kind>(e, w);
    const double t = projection_step<Kind, ProjectionForm::single>(e, masses, parameters, law, 0.0, 0.0);
    for (std::size_t i = 0; i < std::size_t(Kind::arity); ++i) x[i] = x[i] + e.gradients[i] * (w[i] * t);
    return t * e.divisor;
}

}  // namespace pliant::test
