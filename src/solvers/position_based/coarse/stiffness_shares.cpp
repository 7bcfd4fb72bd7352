#include "solvers/position_based/coarse/stiffness_shares.h"

#include "base/scalar.h"
#include "solvers/position_based/coarse/element_shape.h"

namespace pliant::solvers::position_based {

void share_stiffness(const CoarseLevel& level, const CoarseBody& body, double young_modulus, double substep,
                     StiffnessShares& shares) {
    const double h2 = substep * substep;
    shares.of_elements.assign(body.cells, 0.0);
    for (std::uint32_t e = body.first_element; e < body.first_element + body.elements; ++e) {
        const std::uint32_t cell = level.element_cells[e];
        shares.of_elements[cell - body.first_cell] +=
            level.element_volumes[e] / level.cell_volumes[cell] *
            min(young_modulus, level.element_stiffnesses[e] / (least_element_compliance * h2));
    }
    shares.cells_of_box.assign(body.cells, 0);
    for (std::uint32_t box = body.first_box; box < body.first_box + body.boxes; ++box) {
        for (std::uint32_t cell = level.box_cells[box]; cell < level.box_cells[box + 1]; ++cell)
            shares.cells_of_box[cell - body.first_cell] = level.box_cells[box + 1] - level.box_cells[box];
    }
    shares.of_cells.assign(body.cells, 0.0);
    shares.needs_cells = false;
    double volume = 0, carried = 0;
    for (std::uint32_t c = 0; c < body.cells; ++c) {
        const std::uint32_t cell = body.first_cell + c;
        const double of_cell = level.cell_volumes[cell];
        const double most =
            0.5 * body.sweeps / (shares.cells_of_box[c] * of_cell * level.cell_mass_terms[cell] * h2);
        const double modulus = min(young_modulus - shares.of_elements[c], most);
        if (modulus > 1e-3 * shares.of_elements[c]) shares.of_cells[c] = modulus;
        shares.needs_cells = shares.needs_cells || shares.of_cells[c] > 0;
        volume += of_cell;
        carried += (shares.of_elements[c] + shares.of_cells[c]) * of_cell;
    }
    shares.carried = shares.needs_cells ? carried / volume : young_modulus;
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
