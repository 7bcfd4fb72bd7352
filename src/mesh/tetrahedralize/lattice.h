// The body-centred cubic lattice: the corners of cubes ("black") and their centres ("red").
//
// A site (i, j, k) holds one black point, at its lower corner, and one red, at its centre. Along each axis
// a point has two neighbours of its colour at the distance `spacing` (long edges), and around it eight of
// the other at √3/2 of that (short edges).
#pragma once

#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <array>
#include <cstdint>
#include <vector>

#include "mesh/tetrahedralize/progress.h"
#include "mesh/tetrahedralize/solid.h"

namespace pliant::mesh {

// 2 · site + (0: black, 1: red)
using LatticePoint = std::uint32_t;

struct Lattice {
    Vec3d origin{};  // of the black point of site (0, 0, 0)
    double spacing = 0;
    std::array<std::uint32_t, 3> sites{};

    // Around a box, in its middle, with three layers of points outside on every side. A box whose
    // sides are multiples of the spacing has its faces in planes of black points.
    Lattice(const Vec3d& low, const Vec3d& high, double wished_spacing);
    // How many sites that would take.
    static double count(const Vec3d& low, const Vec3d& high, double spacing);

    std::uint32_t size() const { return sites[0] * sites[1] * sites[2]; }
    std::array<std::uint32_t, 3> strides() const { return {1, sites[0], sites[0] * sites[1]}; }
    std::uint32_t site(std::uint32_t i, std::uint32_t j, std::uint32_t k) const {
        return (k * sites[1] + j) * sites[0] + i;
    }
    std::array<std::uint32_t, 3> coordinates(std::uint32_t site) const {
        return {site % sites[0], site / sites[0] % sites[1], site / sites[0] / sites[1]};
    }
    Vec3d position(LatticePoint point) const;
    LatticePoint nearest(const Vec3d& p) const;
};

struct Occupancy {
    std::vector<std::uint8_t> inside{};  // for each point, 1 or 0
    bool simple = true;                  // the surface winds around all of these once and the same way
};

// 1 for points in whose Voronoi cells triangles lie: enough of them to hang together, by edges, as the
// triangles do. 0 for all others.
std::vector<std::uint8_t> find_along(const Lattice& lattice, const TriangleMesh& triangles);

// Points out of the solid's bounding box are outside, whatever the winding number there: those inside have
// all their neighbours, and these theirs.
Occupancy find_inside(const Lattice& lattice, const Solid& solid, Progress& progress);

struct Clearances {
    std::vector<double> distance{};  // of each point from the surface, up to `most`
    Occupancy occupancy{};           // without points nearer than `least`
};

// `least` must be more than half the spacing: then the surface passes between no two neighbours that are so
// clear of it.
Clearances find_clearances(const Lattice& lattice, const TriangleMesh& surface, const Solid& solid,
                           double least, double most, Progress& progress);

}  // namespace pliant::mesh
