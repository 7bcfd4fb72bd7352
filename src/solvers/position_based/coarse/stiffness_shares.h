// How the stiffness of a solid is shared out: what a sweep over its elements carries, and what the boxes of
// its coarse level carry on top of it (coarse_level.h).
#pragma once

#include <span>
#include <vector>

#include "model/model.h"
#include "solvers/position_based/coarse/coarse_level.h"

namespace pliant::solvers::position_based {

// A lower bound of the α̃ of elements, per unit of their mass term: one over the share of 1/(V·A·h²) that a
// sweep over them carries.
inline constexpr float least_element_compliance = 5;

struct StiffnessShares {
    std::vector<double> of_elements;  // Pa, of each box: E_f, the mean over its elements
    std::vector<double> of_boxes;     // Pa, of each box; 0: the elements are enough
    bool needs_boxes = false;
    double carried = 0;  // Pa, the mean over the body
};

// young_modulus in Pa, substep in s.
void share_stiffness(const CoarseLevel& level, const CoarseBody& body, double young_modulus, double substep,
                     StiffnessShares& shares);

// Pa: what a body carries by elements alone, without a lower bound of their compliance.
double carried_by_elements(const model::Model& model, const BodyView& body, double young_modulus,
                           double substep);

}  // namespace pliant::solvers::position_based
