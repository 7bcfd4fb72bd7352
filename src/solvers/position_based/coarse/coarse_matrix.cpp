#include "solvers/position_based/coarse/coarse_matrix.h"

#include <algorithm>

#include "solvers/position_based/coarse/box_forces.h"

namespace pliant::solvers::position_based {
namespace {

// The block of two corners in the stiffness of a box, which is symmetric as a whole.
Matrix3<double> block_of(const double* stiffness, std::size_t a, std::size_t b) {
    const double* k = stiffness + 3 * a * box_values + 3 * b;
    return {{k[0], k[box_values], k[2 * box_values]},
            {k[1], k[box_values + 1], k[2 * box_values + 1]},
            {k[2], k[box_values + 2], k[2 * box_values + 2]}};
}

void set_masses(const CoarseBody& body, std::span<double> matrix) {
    for (std::size_t n = 0; n < body.layout.rows(); ++n) {
        const double* masses = body.layout.row(body.mass.data(), n);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            double* row = body.values.row(matrix.data(), 3 * n + axis);
            std::fill(row + 3 * body.layout.first(n), row + 3 * n + axis + 1, 0.0);
            for (std::size_t m = body.layout.first(n); m <= n; ++m) row[3 * m + axis] = masses[m];
        }
    }
}

// A matrix that is off by an angle moves nodes aside by this share of what it moves them, times the ratio of
// its stiffness to the masses.
double most_turn_of(const CoarseBody& body, const CoarseMatrix& matrix) {
    constexpr double most_error = 0.02;
    double ratio = 0;
    for (std::size_t n = 0; n < body.layout.rows(); ++n) {
        const double mass = body.layout.row(body.mass.data(), n)[n];
        for (std::size_t row = 3 * n; row < 3 * n + 3; ++row)
            ratio = std::max(ratio, body.values.row(matrix.values.data(), row)[row] / mass);
    }
    return most_error / std::max(ratio, 1.0);
}

}  // namespace

void add_block(const SkylineLayout& layout, std::uint32_t row_node, std::uint32_t column_node,
               const Matrix3<double>& block, double* values) {
    const double rows[3][3] = {{block.x.x, block.y.x, block.z.x},
                               {block.x.y, block.y.y, block.z.y},
                               {block.x.z, block.y.z, block.z.z}};
    for (std::size_t i = 0; i < 3; ++i) {
        double* row = layout.row(values, 3 * row_node + i) + 3 * column_node;
        const std::size_t last = row_node == column_node ? i + 1 : 3;
        for (std::size_t j = 0; j < last; ++j) row[j] += rows[i][j];
    }
}

void assemble_matrix(const CoarseLevel& level, const CoarseBody& body, std::span<const double> stiffnesses,
                     CoarseMatrix& matrix) {
    set_masses(body, matrix.values);
    for (std::uint32_t box = 0; box < body.boxes; ++box) {
        const Matrix3<double>& rotation = matrix.rotations[box];
        if (contract(rotation, rotation) == 0) continue;
        const Matrix3<double> back = detail::transposed(rotation), turned = rotation * (1 + matrix.viscosity);
        const double* stiffness = stiffnesses.data() + box * box_values * box_values;
        const auto& nodes = level.box_nodes[body.first_box + box];
        for (std::size_t a = 0; a < box_corners; ++a) {
            for (std::size_t b = 0; b < box_corners; ++b) {
                if (nodes[b] > nodes[a]) continue;
                add_block(body.values, nodes[a] - body.first_node, nodes[b] - body.first_node,
                          turned * block_of(stiffness, a, b) * back, matrix.values.data());
            }
        }
    }
    matrix.most_turn = most_turn_of(body, matrix);
    ++matrix.version;
}

}  // namespace pliant::solvers::position_based
