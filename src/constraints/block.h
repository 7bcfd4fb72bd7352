// Constraints that are solved together: a block of rows on the same particles.
//
// The energy of an element is a sum of squares, ½ Σ Cᵣ²/αᵣ. Its rows C₁, C₂, … pull on the same particles.
// Projected one after the other, they undo each other's work, and explode where they are stiff: the rest
// state of Neo-Hookean has C₁ ≠ 0 ≠ C₂ in balance. As a block, a small dense system, they find it at once
// (see solvers/position_based/block_projection.h).
//
//   struct SomeBlock {
//       … name, summary, arity, Rest, Material, tables, rest_of, measure as of every kind (kind.h)
//       static constexpr int rows;
//       template <class T> static BlockEvaluation<T, arity, rows> evaluate(x, rest, material);
//       // αᵣ relative to the compliance of the part, which is 1/E:
//       template <class T> static std::array<T, rows> ratios(material);
//       template <class T> static T gradient_square(rest);            // Σ|∇N|², of its shape functions
//       template <class T> static T energy(x, rest, material);        // in units of E, 0 at rest
//       template <class T> static T strain(x, rest);                  // 0 at rest, no unit
//   };
#pragma once

#include "constraints/kind.h"

namespace pliant::constraints {

// Rows come scaled, the true gradient of row r being gᵣ/qᵣ. That keeps roots and divisions out.
template <class T, int Arity, int Rows>
struct BlockEvaluation {
    std::array<T, Rows> values;                                 // qᵣ·Cᵣ
    std::array<T, Rows> squared_divisors;                       // qᵣ²
    std::array<std::array<Vector3<T>, Arity>, Rows> gradients;  // gᵣ = qᵣ·∇Cᵣ
};

template <class K>
concept BlockKind = AnyKind<K> &&
    requires(const Vector3<double>* x, const typename K::template Rest<double>& rest,
             const typename K::template Material<double>& material) {
    { K::evaluate(x, rest, material) } -> std::same_as<BlockEvaluation<double, K::arity, K::rows>>;
    { K::ratios(material) } -> std::same_as<std::array<double, K::rows>>;
    { K::gradient_square(rest) } -> std::same_as<double>;
    { K::energy(x, rest, material) } -> std::same_as<double>;
    { K::strain(x, rest) } -> std::same_as<double>;
};

}  // namespace pliant::constraints
