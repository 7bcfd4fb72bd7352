// Parts of a surface that tetrahedra left out, because they enclose too little to hold one.
#pragma once

#include <pliant/mesh.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "mesh/geometry/triangle_tree.h"
#include "mesh/tetrahedralize/fill_result.h"
#include "mesh/tetrahedralize/lattice.h"
#include "mesh/tetrahedralize/point_grid.h"
#include "mesh/tetrahedralize/solid.h"

namespace pliant::mesh {

// How far points are from tetrahedra. Keeps references.
class Coverage {
public:
    Coverage(const FillResult& filled, const Lattice& lattice);

    // A distance of at most the lattice's spacing. A vertex that near is found faster than the outside.
    bool reaches(const Vec3d& point, double distance) const;
    // One of the face of the outside that is nearest.
    std::uint32_t nearest_vertex(const Vec3d& point) const;

private:
    const TriangleTree& outside() const;

    const FillResult& filled_;
    PointGrid vertices_;
    // Made when first asked for.
    mutable std::vector<Triangle> outside_faces_;
    mutable std::optional<TriangleTree> outside_;
};

// In edge lengths.
struct ThinSearch {
    double missing = 0;  // parts so far from the tetrahedra are looked for, …
    double around = 0;   // … and then what is around them so far …
    double loose = 0;    // … if it is this far from the tetrahedra
    double inward = 0;   // found parts are moved so far into the solid, or to its middle
};

// Triangles, large ones subdivided, that are far from all tetrahedra although the solid is on one side of
// them.
TriangleMesh find_thin_parts(const TriangleMesh& surface, const Solid& solid, const Lattice& lattice,
                             const Coverage& coverage, const ThinSearch& search);

// What is around places where the surface leads from one component of the tetrahedra to another.
TriangleMesh find_necks(const TriangleMesh& surface, const Solid& solid, const Lattice& lattice,
                        const FillResult& filled, const Coverage& coverage);

}  // namespace pliant::mesh
