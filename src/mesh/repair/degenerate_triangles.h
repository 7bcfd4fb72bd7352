// Triangles whose three corners lie on one line.
#pragma once

#include <pliant/mesh.h>

#include <cstdint>
#include <vector>

namespace pliant::mesh {

struct StraightenedTriangles {
    std::uint64_t straightened = 0;  // have an area now
    std::uint64_t left = 0;          // stay as they are
    std::vector<bool> drop{};        // for each triangle: lies along the boundary, nobody will miss it
};

// The middle corner m of a degenerate triangle lies on its longest side x–y. The neighbour (x, y, d) across
// that side is cut there, into (x, m, d) and (m, y, d), and the degenerate triangle is used up: no hole, no
// crack. Without a neighbour the degenerate triangle may go. Where d–m is an edge already, or several
// triangles share the side, or the neighbour is degenerate too, it stays for now. Triangles must have three
// different corners.
StraightenedTriangles straighten_degenerate_triangles(TriangleMesh& surface);

}  // namespace pliant::mesh
