// The matrix of a body's nodes, C + (h² + τ·h)·Σ R·K·Rᵀ (coarse_level.h).
#pragma once

#include <span>
#include <vector>

#include "solvers/position_based/coarse/coarse_level.h"

namespace pliant::solvers::position_based {

// By the layout of the nodes' coordinates, in kg.
struct CoarseMatrix {
    std::vector<double> values, factor;
    // What it is made for.
    double viscosity = 0;                    // τ/h
    std::vector<Matrix3<double>> rotations;  // of boxes; 0: the box has no say
    double most_turn = 0;                    // |ΔR| of a box for which it still does
    std::uint64_t version = 0;               // how often it was made
};

// stiffnesses: K·h² of the body's boxes, [box][24][24]. Fills in the values.
void assemble_matrix(const CoarseLevel& level, const CoarseBody& body, std::span<const double> stiffnesses,
                     CoarseMatrix& matrix);

// Adds a block at the rows of one node and the columns of another that is not after it, up to the diagonal.
void add_block(const SkylineLayout& layout, std::uint32_t row_node, std::uint32_t column_node,
               const Matrix3<double>& block, double* values);

}  // namespace pliant::solvers::position_based
