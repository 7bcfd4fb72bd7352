// Reports the faults of a surface, and repairs it.
#pragma once

#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <cstdint>
#include <string>
#include <vector>

namespace pliant {

// Triangles that are not valid are counted and left out of everything else, those with a repeated corner
// of all that concerns edges.
struct SurfaceReport {
    std::uint64_t vertices = 0, triangles = 0, edges = 0;
    std::uint64_t components = 0;           // that hang together by edges
    std::uint64_t not_finite_vertices = 0;  // infinite or not a number
    std::uint64_t invalid_triangles = 0;    // with a corner that does not exist or is not finite
    std::uint64_t unused_vertices = 0;
    std::uint64_t duplicate_vertices = 0;    // at the place of an earlier one
    std::uint64_t duplicate_triangles = 0;   // with the corners of an earlier one, in whatever order
    std::uint64_t degenerate_triangles = 0;  // without area
    std::uint64_t boundary_edges = 0, boundary_loops = 0;  // an edge with one triangle; closed: none
    std::uint64_t non_manifold_edges = 0;                  // with three triangles or more
    std::uint64_t non_manifold_vertices = 0;               // whose triangles make more than one fan
    std::uint64_t misoriented_edges = 0;                   // run the same way in both their triangles
    // Of triangles that meet, though none of their corners is at the same place; decided exactly.
    std::uint64_t intersecting_pairs = 0;
    bool closed = false, manifold = false, oriented = false, inside_out = false;
    bool attributes_fit = true;   // normals and texture coordinates: none, or for every triangle
    double volume = 0, area = 0;  // m³ (signed; 0 unless closed and oriented), m²
    Vec3 low{}, high{};           // m, the bounding box of the finite vertices
};

// Pairs are counted up to here.
inline constexpr std::uint64_t most_intersecting_pairs = 1'000'000;

SurfaceReport report(const TriangleMesh& surface);
std::string to_text(const SurfaceReport& report);  // sentences, one per line
std::string to_json(const SurfaceReport& report);

struct RepairOptions {
    float weld_distance = 0;  // m; 0, less or not a number: vertices at the very same place
    bool orient = true;       // neighbours the same way round, closed components outward
};

struct Repaired {
    TriangleMesh mesh{};
    std::vector<std::uint32_t> vertex_from{};  // for each vertex, its number before
    std::vector<std::string> changes{};        // in words; empty if nothing had to be done
    std::vector<std::string> problems{};       // in words: faults that remain
};

// Drops invalid triangles and vertices; welds seams; drops triangles that are degenerate or there twice, and
// vertices that none uses; turns neighbours the same way round and closed components outward. Holes,
// self-intersections and edges of several triangles stay.
//
// - Only vertices at the boundary are welded, and the ends of an edge without length: surfaces that are
//   closed already may touch each other.
// - A triangle whose corners lie on one line gives its middle corner to the neighbour across its longest
//   side: no hole opens.
// - Where neighbours disagree, the way that more of a component's triangles turn wins. A one-sided
//   component (a Möbius strip) stays as it is.
// - A closed component is turned outward, with all that is closed and lies inside of it: a cavity stays a
//   cavity, a body in a body stays a body, also if the file was inside out.
Repaired repair(const TriangleMesh& surface, const RepairOptions& options = {});

}  // namespace pliant
