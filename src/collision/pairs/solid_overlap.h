// How far a solid is inside another.
#pragma once

#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <cstdint>
#include <span>

namespace pliant::collision {

// All in one frame of coordinates.
struct Solid {
    std::span<const Vec3> positions{};
    std::uint32_t first = 0;  // that triangles and tetrahedra count positions from
    std::span<const Triangle> triangles{};
    std::span<const Tetrahedron> tetrahedra{};
};

struct SolidOverlap {
    std::size_t inside = 0;  // vertices of the surface of one that are in tetrahedra of the other
    Vec3d way{};             // m, the sum of their ways to the nearest point of the other's surface
    double depth = 0;        // m, the longest of them

    // The reverse: what is inside goes the other way.
    void add_reverse(const SolidOverlap& other);
};

// The vertices of a's surface inside b. Of very many, only some.
SolidOverlap vertices_inside(const Solid& a, const Solid& b);

}  // namespace pliant::collision
