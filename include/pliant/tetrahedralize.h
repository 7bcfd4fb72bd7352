// From a surface to tetrahedra.
#pragma once

#include <pliant/error.h>
#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

enum class TetrahedralizeMethod {
    // Keeps the surface's own vertices where they are sparse enough, and follows thin parts; wants a decent
    // surface.
    delaunay,
    // A regular lattice warped to the surface: every dihedral angle between 10.7° and 164.8°, whatever the
    // triangles. Sharp edges are blunted.
    lattice,
};

struct TetrahedralizeOptions {
    TetrahedralizeMethod method = TetrahedralizeMethod::lattice;
    float edge_length = 0;  // m, wished; the mean is 0.7 to 1.1 of it; 0: from the resolution
    int resolution = 20;    // edges along the longest side of the bounding box
    // Called now and then with the share done (0 … 1) and the name of the stage; false stops the work.
    std::function<bool(double share, std::string_view stage)> progress{};
};

struct Tetrahedralized {
    TetrahedralMesh mesh{};
    std::vector<std::string> warnings{};
};

// Fills the space that the surface winds around more than half a time, either way round: holes are closed,
// parts that overlap unite, an inner surface that faces the other way bounds a cavity and one that faces the
// same way does not. Parts thinner than an edge are thickened: every vertex of the surface is then within an
// edge length of the tetrahedra; where one is not, a warning says so. The same input gives the same bits on
// every machine.
Result<Tetrahedralized> tetrahedralize(const TriangleMesh& surface,
                                       const TetrahedralizeOptions& options = {});

// Delaunay tetrahedra of points, decided by exact arithmetic. Of points that coincide the first is used.
// Fewer than four points, or all in one plane: none. Coordinates must be finite; if they differ by more than
// a factor of 10¹⁰², the small ones are taken as 0. At most 2²⁷ points.
Result<std::vector<Tetrahedron>> delaunay(std::span<const Vec3d> points);

struct TetrahedralQuality {
    std::uint64_t vertices = 0, tetrahedra = 0, surface_triangles = 0;
    std::uint64_t inverted = 0;                          // or without volume
    double volume = 0;                                   // m³
    double smallest_dihedral = 0, largest_dihedral = 0;  // degrees
    double smallest_interior_dihedral = 0;  // of tetrahedra without a vertex on the surface; none: 180
    double worst_radius_edge = 0;           // circumradius over shortest edge; regular: 0.612
    double mean_edge = 0, shortest_edge = 0, longest_edge = 0;  // m
};

// An Error if a vertex is not finite or a corner does not exist.
Result<TetrahedralQuality> quality(const TetrahedralMesh& mesh);

}  // namespace pliant
