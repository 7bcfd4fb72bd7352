// What a surface is like, and making it fit for use.
#pragma once

#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <cstdint>
#include <string>
#include <vector>

namespace pliant {

struct SurfaceReport {
    std::uint64_t vertices = 0, triangles = 0, edges = 0;
    std::uint64_t components = 0;
    std::uint64_t unused_vertices = 0, duplicate_vertices = 0;
    std::uint64_t duplicate_triangles = 0, degenerate_triangles = 0;
    std::uint64_t boundary_edges = 0, boundary_loops = 0;  // an edge with one triangle; closed: none
    std::uint64_t non_manifold_edges = 0;                  // with three triangles or more
    std::uint64_t non_manifold_vertices = 0;               // whose triangles make more than one fan
    std::uint64_t misoriented_edges = 0;                   // run the same way in both their triangles
    std::uint64_t intersecting_pairs = 0;                  // of triangles that share no vertex
    bool closed = false, manifold = false, oriented = false, inside_out = false;
    double volume = 0, area = 0;  // m³ (signed; meaningful if closed and oriented), m²
    Vec3 low{}, high{};           // m, the bounding box
};

SurfaceReport report(const TriangleMesh& surface);
std::string to_text(const SurfaceReport& report);  // sentences, one a line
std::string to_json(const SurfaceReport& report);

struct RepairOptions {
    float weld_distance = 0;  // m; 0: vertices at the very same place
    bool orient = true;       // neighbours the same way round, closed components outward
};

struct Repaired {
    TriangleMesh mesh{};
    std::vector<std::uint32_t> vertex_from{};  // for each vertex, its number before
    std::vector<std::string> changes{};        // in words; empty if nothing had to be done
};

// Welds seams, drops triangles that are degenerate or there twice, and vertices that none uses;
// turns neighbours the same way round and closed components outward.
Repaired repair(const TriangleMesh& surface, const RepairOptions& options = {});

}  // namespace pliant
