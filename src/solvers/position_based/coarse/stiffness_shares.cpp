#include "solvers/position_based/coarse/stiffness_shares.h"

#include "base/scalar.h"
#include "solvers/position_based/coarse/element_shape.h"

namespace pliant::solvers::position_based {
namespace {

// Times what a sweep over elements carries. Rounding has a say in anything stiffer.
constexpr double stiffest_box = 1e5;
// Of what a sweep over elements carries: softer materials need no boxes, and crush less where elements have
// all of their stiffness to themselves. Springs, which have resting shapes that are not the body's, always
// profit.
constexpr double enough = 0.25;

}  // namespace

void share_stiffness(const CoarseLevel& level, const CoarseBody& body, double young_modulus, double substep,
                     StiffnessShares& shares) {
    const double h2 = substep * substep;
    shares.of_elements.assign(body.boxes, 0.0);
    double stiffness = 0, volume = 0, carried = 0;
    for (std::uint32_t e = body.first_element; e < body.first_element + body.elements; ++e) {
        const std::uint32_t box = level.element_boxes[e];
        const double element = level.element_stiffnesses[e] / h2;
        shares.of_elements[box - body.first_box] += level.element_volumes[e] / level.box_volumes[box] *
                                                    min(young_modulus, element / least_element_compliance);
        stiffness += element * level.element_volumes[e];
        volume += level.element_volumes[e];
    }
    const double mean = stiffness / volume, most = stiffest_box * mean;
    const double least = body.has_elements ? enough * mean : 0;
    shares.of_boxes.assign(body.boxes, 0.0);
    shares.needs_boxes = false;
    for (std::uint32_t b = 0; b < body.boxes; ++b) {
        const double modulus = min(young_modulus, most) - shares.of_elements[b];
        if (young_modulus > least && modulus > 1e-3 * shares.of_elements[b]) shares.of_boxes[b] = modulus;
        shares.needs_boxes = shares.needs_boxes || shares.of_boxes[b] > 0;
        carried += (shares.of_elements[b] + shares.of_boxes[b]) * level.box_volumes[body.first_box + b];
    }
    shares.carried = shares.needs_boxes ? carried / volume : young_modulus;
}

double carried_by_elements(const model::Model& model, const BodyView& body, double young_modulus,
                           double substep) {
    double volume = 0, carried = 0;
    for (std::uint32_t t = body.first_tetrahedron; t < body.first_tetrahedron + body.tetrahedron_count; ++t) {
        const ElementShape element = element_shape(model, t);
        volume += element.volume;
        carried += element.volume * min(young_modulus, element.stiffness() / (substep * substep));
    }
    return volume > 0 ? carried / volume : young_modulus;
}

}  // namespace pliant::solvers::position_based
