// Points of the plane z = 0: which way they turn, and what lies in their circles, decided exactly.
#pragma once

#include <pliant/vector.h>

#include "mesh/geometry/predicates.h"

namespace pliant::mesh {

// Above a, off the plane: with it, a triangle is a tetrahedron, and a circle's sphere cuts the plane in it.
inline Vec3d above(const Vec3d& a) { return {a.x, a.y, 1}; }

// 1 if a, b, c turn counterclockwise, 0 if they lie on a line, −1 if clockwise.
inline int turn(const Vec3d& a, const Vec3d& b, const Vec3d& c) { return orient3d(a, b, c, above(a)); }

// 1 if p lies inside of the circle through a, b, c, 0 if on it, −1 if outside; turn(a, b, c) > 0.
inline int in_circle(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p) {
    return insphere(a, b, c, above(a), p);
}

}  // namespace pliant::mesh
