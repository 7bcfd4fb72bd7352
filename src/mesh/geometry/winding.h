// How often a surface winds around a point: 1 inside a closed surface that faces outward, 0 outside,
// and a smooth passage from one to the other where the surface has a hole.
#pragma once

#include <pliant/vector.h>

#include <array>
#include <vector>

#include "mesh/geometry/triangle_tree.h"

namespace pliant::mesh {

class WindingNumber {
public:
    // Keeps a reference to the tree.
    explicit WindingNumber(const TriangleTree& tree);

    // Far triangles as groups; the error is about 0.01, at worst a few of that.
    double at(const Vec3d& point) const;
    // Every triangle by itself.
    double exact(const Vec3d& point) const;

private:
    // What a group of triangles looks like from afar: see winding.cpp.
    struct Moments {
        Vec3d centre{};                   // of the area
        double far_squared = 0;           // the square of the distance from which on the group is one
        Vec3d normal{};                   // N
        double trace = 0;                 // of M
        std::array<double, 6> first{};    // M's symmetric part
        Vec3d second_trace{};             // 2u + v
        std::array<double, 10> second{};  // T's symmetric part
    };
    static double from_afar(const Moments& group, const Vec3d& point);

    const TriangleTree& tree_;
    std::vector<Moments> moments_;  // one for each node
};

}  // namespace pliant::mesh
