// What shapes are built from: places and splits.
#pragma once

#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <array>
#include <cstddef>
#include <utility>

#include "base/convert.h"
#include "base/trigonometry.h"

namespace pliant::mesh {

// Point i of 0 … count along a length centred at 0. In double, rounded once: mirror images agree,
// and the ends are exact.
inline float grid_point(float length, int i, int count) {
    return static_cast<float>((2.0 * i - count) * length / (2.0 * count));
}

// So far from the y axis, so many turns round it (counterclockwise as seen from above), so high.
inline Vec3d at_turns(double radius, double turns, double y) {
    const auto [sine, cosine] = sine_cosine_of_turns(turns);
    return {radius * cosine, y, 0 - radius * sine};
}

// Kuhn's (Freudenthal's) split: each order of the axes is a path from corner (0,0,0) of the cell to
// corner (1,1,1), and its four corners are a tetrahedron. All six share the main diagonal, and cells
// side by side split their common face along the same diagonal. An odd order gives a negative
// tetrahedron, so two of its corners are swapped. Corners are bits: x 1, y 2, z 4.
inline constexpr std::size_t kuhn_corners[6][4] = {
    {0, 1, 3, 7},  // x y z
    {0, 2, 6, 7},  // y z x
    {0, 4, 5, 7},  // z x y
    {0, 5, 1, 7},  // x z y
    {0, 3, 2, 7},  // y x z
    {0, 6, 4, 7},  // z y x
};

// Puts the corners in ascending order. Whether that kept the way they turn.
inline bool sort_corners(Triangle& t) {
    bool even = true;
    for (const std::size_t k : {0, 1, 0}) {
        if (t[k] <= t[k + 1]) continue;
        std::swap(t[k], t[k + 1]);
        even = !even;
    }
    return even;
}

// Corners 0 … 11, and faces that turn counterclockwise as seen from outside.
inline constexpr double golden_ratio = 1.6180339887498948482;
inline constexpr Vec3d icosahedron_corners[12] = {
    {-1, golden_ratio, 0}, {1, golden_ratio, 0}, {-1, -golden_ratio, 0}, {1, -golden_ratio, 0},
    {0, -1, golden_ratio}, {0, 1, golden_ratio}, {0, -1, -golden_ratio}, {0, 1, -golden_ratio},
    {golden_ratio, 0, -1}, {golden_ratio, 0, 1}, {-golden_ratio, 0, -1}, {-golden_ratio, 0, 1},
};
inline constexpr Triangle icosahedron_faces[20] = {
    {0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
    {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
    {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1},
};

// The point of a face with these barycentric weights (not all zero), at a distance from the centre.
// On an edge only two corners count, so that both its faces give the same bits.
inline Vec3 point_on_icosphere(const Triangle& face, const std::array<int, 3>& weights, double radius) {
    Vec3d sum;
    for (std::size_t k = 0; k < 3; ++k) {
        sum = sum + icosahedron_corners[face[k]] * static_cast<double>(weights[k]);
    }
    return to_float(sum * (radius / length(sum)));
}

}  // namespace pliant::mesh
