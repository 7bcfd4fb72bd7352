// A linear tetrahedron at rest.
#pragma once

#include <array>

#include "base/convert.h"
#include "base/geometry/matrix3.h"
#include "model/model.h"

namespace pliant::solvers::position_based {

struct ElementShape {
    std::array<Vec3d, 4> gradients;  // ∇N of each corner, 1/m
    double volume = 0;               // m³
    double mass_term = 0;            // A = w̄·Σ|∇N|², 1/(kg·m²)

    // 1/(V·A), in Pa·s²: over h², the modulus that one sweep carries.
    double stiffness() const { return 1 / (volume * mass_term); }
};

inline ElementShape element_shape(const model::Model& model, std::uint32_t tetrahedron) {
    const Tetrahedron& t = model.tetrahedra[tetrahedron];
    Vec3d x[4];
    double w = 0;
    for (std::size_t k = 0; k < 4; ++k) {
        x[k] = to_double(model.rest_positions[t[k]]);
        w += model.inverse_masses[t[k]] / 4.0;
    }
    const Matrix3<double> edges{x[1] - x[0], x[2] - x[0], x[3] - x[0]}, cof = cofactor(edges);
    const double volume6 = dot(edges.x, cof.x);
    ElementShape shape;
    shape.volume = volume6 / 6;
    shape.gradients = {(cof.x + cof.y + cof.z) * (-1 / volume6), cof.x * (1 / volume6), cof.y * (1 / volume6),
                       cof.z * (1 / volume6)};
    for (const Vec3d& g : shape.gradients) shape.mass_term += w * dot(g, g);
    return shape;
}

}  // namespace pliant::solvers::position_based
