// How constraints give way: what the projection rule needs of a material (projection.h).
#pragma once

#include <pliant/description.h>

namespace pliant::model {
struct ComplianceScale;
}

namespace pliant::solvers::position_based {

// How a run of constraints gives way in one substep.
template <class T>
struct Softness {
    T compliance;              // α̃, apart from what grows with the rest measure
    T compliance_per_measure;  // α̃ per m or m³ of rest measure
    T least_compliance;        // α̃ of an element per unit of its mass term, at least; 0: no bound
    T damping;                 // γ
    T scale;                   // −β
    T inverse_scale;           // −1/β
};

inline constexpr Softness<float> rigid_softness{.compliance = 0,
                                                .compliance_per_measure = 0,
                                                .least_compliance = 0,
                                                .damping = 0,
                                                .scale = -1,
                                                .inverse_scale = -1};

// Of a material part at a time (s), for a substep of h seconds.
Softness<float> make_softness(const Elasticity& elasticity, const model::ComplianceScale& scale, double time,
                              const Settings& settings, double h);

}  // namespace pliant::solvers::position_based
