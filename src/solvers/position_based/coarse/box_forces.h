// What the boxes of a coarse level answer to the places of their nodes: a rotation R and forces
// −R·K·(Rᵀ·y − X) of each. Compiled once per instruction set; sums are always taken in the same order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/geometry/polar_rotation.h"
#include "solvers/position_based/coarse/box_stiffness.h"

namespace pliant::solvers::position_based {

using BoxGradients = std::array<Vec3d, box_corners>;

struct BoxRun {  // of a body
    std::size_t boxes = 0;
    const std::array<std::uint32_t, box_corners>* nodes = nullptr;
    const BoxGradients* gradients = nullptr;  // of the corners' weights, in the middle of a box's tetrahedra
    const double* stiffnesses = nullptr;      // [box][24][24], K·h²
    const double* places = nullptr;           // [node][3]: y
    std::uint32_t first_node = 0;
    Vec3d size;                            // of a box, m
    Matrix3<double>* rotations = nullptr;  // of each box; 0: it has no say
    double* forces = nullptr;              // [node][3], × h²: they are added
};

namespace detail {

// Below, and far above, elements are at work, not boxes. Relative to rest.
inline constexpr double least_volume = 0.1, most_volume = 1e3;

[[gnu::always_inline]] static inline Matrix3<double> transposed(const Matrix3<double>& a) {
    return {{a.x.x, a.y.x, a.z.x}, {a.x.y, a.y.y, a.z.y}, {a.x.z, a.y.z, a.z.z}};
}
[[gnu::always_inline]] static inline Matrix3<double> outer(const Vec3d& a, const Vec3d& b) {
    return {a * b.x, a * b.y, a * b.z};
}

// Zero for a box without stiffness, or too far from its shape.
[[gnu::always_inline]] static inline Matrix3<double> rotation_of(const Vec3d* at,
                                                                 const BoxGradients& gradients,
                                                                 const double* stiffness) {
    Matrix3<double> f{};
    for (std::size_t c = 0; c < box_corners; ++c) f = f + outer(at[c], gradients[c]);
    const Matrix3<double> cof = cofactor(f);
    const double volume = dot(f.x, cof.x);
    if (!(stiffness[0] > 0 && volume > least_volume && volume < most_volume)) return {};
    return polar_rotation(f, cof, volume, contract(f, f));
}

[[gnu::always_inline]] static inline void strain_box(const BoxRun& r, std::size_t box) {
    const auto& nodes = r.nodes[box];
    const double* stiffness = r.stiffnesses + box * box_values * box_values;
    Vec3d at[box_corners];
    for (std::size_t c = 0; c < box_corners; ++c) {
        const double* place = r.places + 3 * (nodes[c] - r.first_node);
        at[c] = {place[0], place[1], place[2]};
    }
    const Matrix3<double> rotation = rotation_of(at, r.gradients[box], stiffness);
    r.rotations[box] = rotation;
    if (rotation.x.x == 0 && rotation.x.y == 0 && rotation.x.z == 0) return;

    const Matrix3<double> back = transposed(rotation);
    double strains[box_values], forces[box_values] = {};
    for (std::size_t c = 0; c < box_corners; ++c) {
        const Vec3d corner{c & 1 ? r.size.x : 0, c & 2 ? r.size.y : 0, c & 4 ? r.size.z : 0};
        const Vec3d d = back * (at[c] - at[0]) - corner;
        strains[3 * c] = d.x, strains[3 * c + 1] = d.y, strains[3 * c + 2] = d.z;
    }
    // By columns, which are rows: lanes need no sums.
    for (std::size_t j = 0; j < box_values; ++j) {
        const double* column = stiffness + j * box_values;
        for (std::size_t i = 0; i < box_values; ++i) forces[i] -= column[i] * strains[j];
    }
    for (std::size_t c = 0; c < box_corners; ++c) {
        const Vec3d f = rotation * Vec3d{forces[3 * c], forces[3 * c + 1], forces[3 * c + 2]};
        double* sum = r.forces + 3 * (nodes[c] - r.first_node);
        sum[0] += f.x, sum[1] += f.y, sum[2] += f.z;
    }
}

[[gnu::always_inline]] static inline void strain_all(const BoxRun& r) {
    for (std::size_t box = 0; box < r.boxes; ++box) strain_box(r, box);
}

}  // namespace detail

}  // namespace pliant::solvers::position_based
