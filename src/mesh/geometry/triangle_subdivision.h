// Large triangles in small ones.
#pragma once

#include <pliant/vector.h>

#include <array>
#include <cstddef>

namespace pliant::mesh {

using Corners = std::array<Vec3d, 3>;

// Halves a triangle across its longest side, and the halves again, until is_small(corners, longest side²).
template <class IsSmall, class Visit>
void for_each_subtriangle(const Corners& t, const IsSmall& is_small, const Visit& visit) {
    std::size_t side = 0;
    double longest = -1;
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3d d = t[(i + 1) % 3] - t[i];
        if (dot(d, d) <= longest) continue;
        longest = dot(d, d);
        side = i;
    }
    if (is_small(t, longest)) return visit(t);
    const Vec3d &a = t[side], &b = t[(side + 1) % 3], &c = t[(side + 2) % 3];
    const Vec3d middle = (a + b) * 0.5;
    for_each_subtriangle({a, middle, c}, is_small, visit);
    for_each_subtriangle({middle, b, c}, is_small, visit);
}

}  // namespace pliant::mesh
