// How often a surface winds around a point: 1 inside a closed surface that faces outward, 0 outside,
// and a smooth passage from one to the other where the surface has a hole.
#pragma once

#include <pliant/vector.h>

#include <vector>

#include "mesh/triangle_tree.h"

namespace pliant::mesh {

class WindingNumber {
public:
    // Keeps a reference to the tree.
    explicit WindingNumber(const TriangleTree& tree);

    // Far triangles as groups; the error is about 10⁻³.
    double at(const Vec3d& point) const;
    // Every triangle by itself.
    double exact(const Vec3d& point) const;

private:
    // What a group of triangles looks like from afar.
    struct Moments {
        Vec3d centre{};        // of the area
        double far_squared{};  // the square of the distance from which on the group is one
        Vec3d normal{};        // Σ area · normal
        Vec3d by_normal[3]{};  // Σ area · (centroid − centre) ⊗ normal: a row for each component of the first
        double area{};
    };
    double from_afar(const Moments& group, const Vec3d& point) const;

    const TriangleTree& tree_;
    std::vector<Moments> moments_;  // one for each node
};

}  // namespace pliant::mesh
