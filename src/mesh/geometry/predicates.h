// On which side of a plane or a sphere a point lies, decided exactly.
//
// Valid for coordinates that are 0 or between 2⁻¹⁴⁰ and 2²⁰⁰ in magnitude. Differences of such numbers are
// multiples of 2⁻¹⁹² below 2²⁰¹, the terms of insphere (degree 5) multiples of 2⁻⁹⁶⁰ that sum up to less
// than 2¹⁰¹²: nothing overflows, and what would be rounded by underflow is a multiple of 2⁻¹⁰⁷⁴ already.
#pragma once

#include <pliant/vector.h>

namespace pliant::mesh {

constexpr double smallest_coordinate = 0x1p-140, largest_coordinate = 0x1p200;

// The sign of (b−a)×(c−a)·(d−a): 1, 0 or −1.
int orient3d(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d);

// 1 if p lies inside of the sphere through a, b, c, d, 0 if on it, −1 if outside; orient3d(a, b, c, d) > 0.
int insphere(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d, const Vec3d& p);

// Whether one line passes through all three.
bool collinear(const Vec3d& a, const Vec3d& b, const Vec3d& c);

// By x, then y, then z.
bool lexicographically_less(const Vec3d& a, const Vec3d& b);

}  // namespace pliant::mesh
