#include "solvers/position_based/softness.h"

#include <pliant/assertions.h>

#include "base/roots.h"
#include "base/scalar.h"
#include "model/model.h"

namespace pliant::solvers::position_based {
namespace {

// Beyond this, softer is no different.
float in_range(double softness) { return static_cast<float>(min(softness, 1e30)); }

}  // namespace

// A gap that is to be closed in T − t seconds shrinks with the retardation time τ = (T − t)/2, and so like
// (1 − t/T)²: it arrives gently.
Softness<float> make_softness(const Elasticity& elasticity, const model::ComplianceScale& scale, double time,
                              const Settings& settings, double h) {
    PLIANT_ASSERT(h > 0 && settings.iterations > 0);
    PLIANT_ASSERT(elasticity.compliance >= 0 && elasticity.damping >= 0);
    Softness<float> softness = rigid_softness;
    const double retardation = max(0.0, scale.closing_time - time) / 2;
    if (settings.method == Method::pbd) {
        if (retardation > 0) {
            softness.damping = in_range(retardation / h);
            return softness;
        }
        const double relaxation = share_per_part(elasticity.stiffness, settings.iterations);
        softness.scale = static_cast<float>(-relaxation);
        softness.inverse_scale = static_cast<float>(-1 / relaxation);
        return softness;
    }
    const double compliance = elasticity.compliance / (h * h);
    softness.compliance = in_range(compliance * scale.uniform);
    softness.compliance_per_measure = in_range(compliance * scale.per_measure);
    softness.damping = in_range(max(double(elasticity.damping), retardation) / h);
    return softness;
}

}  // namespace pliant::solvers::position_based
