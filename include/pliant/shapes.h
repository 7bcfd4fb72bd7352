// Shapes to start from. All are centred at the origin, with y as their axis; the same numbers give the
// same bits on every machine. Counts are at least 1 unless noted; sizes are in metres and positive. Other
// numbers give an Error, and so does a mesh of more than 50 million elements.
//
// Surfaces are closed, without seams, and face outward. They carry texture coordinates, except the
// icosphere and the box: u once round to the right as seen from outside, v from bottom to top.
// Solids are filled by positive tetrahedra.
#pragma once

#include <pliant/error.h>
#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <array>
#include <vector>

namespace pliant {

// ---- cloth ----

// A sheet of columns × rows cells in the xz plane, two triangles per cell, that faces +y.
// Point (column, row) has index row · (columns + 1) + column.
Result<TriangleMesh> make_sheet(float width, float depth, int columns, int rows);

// A cylinder open at both ends, of segments (≥ 3) × rows cells, two triangles per cell.
// Point (segment, row) has index row · segments + segment; row 0 is the lowest.
Result<TriangleMesh> make_tube(float radius, float height, int segments, int rows);

// ---- closed surfaces ----

Result<TriangleMesh> make_box_surface(Vec3 size, std::array<int, 3> cells);

// By meridians and parallels: segments (≥ 3) round, rings (≥ 2) from pole to pole.
Result<TriangleMesh> make_sphere_surface(float radius, int segments, int rings);

// Evenly: each of an icosahedron's 20 faces is cut into frequency² triangles.
Result<TriangleMesh> make_icosphere(float radius, int frequency);

// Round with `segments` (≥ 3), `rows` along the height; rings of ever fewer points close the ends, so
// that triangles are about as long as wide.
Result<TriangleMesh> make_cylinder_surface(float radius, float height, int segments, int rows);

// A cylinder of that height between two half spheres.
Result<TriangleMesh> make_capsule_surface(float radius, float height, int segments, int rows);

// A tube bent into a ring about y: segments (≥ 3) along the ring, sides (≥ 3) around the tube.
// With minor_radius > major_radius it cuts itself.
Result<TriangleMesh> make_torus_surface(float major_radius, float minor_radius, int segments, int sides);

// ---- solids ----

// cells[0] × cells[1] × cells[2] cells, six tetrahedra per cell.
Result<TetrahedralMesh> make_box(Vec3 size, std::array<int, 3> cells);

// `layers` tetrahedra from the centre to the surface, which is make_icosphere(radius, layers):
// 20 layers³ tetrahedra.
Result<TetrahedralMesh> make_ball(float radius, int layers);

// A disc of `rings` (6 rings² triangles) along a height of `rows`: 18 rings² rows tetrahedra.
Result<TetrahedralMesh> make_cylinder(float radius, float height, int rings, int rows);

// A cylinder of that height between two half balls: 18 rings² rows + 12 rings³ tetrahedra.
Result<TetrahedralMesh> make_capsule(float radius, float height, int rings, int rows);

// A disc of `rings` once round y in segments (≥ 3) steps: 18 rings² segments tetrahedra.
// minor_radius < major_radius.
Result<TetrahedralMesh> make_torus(float major_radius, float minor_radius, int rings, int segments);

// ---- grains ----

// Rows of points that fill a box about the origin, `spacing` apart, each moved at random by at most
// `jitter` × spacing along each axis. With a jitter of 0 they stand in columns.
Result<std::vector<Vec3>> make_grains(Vec3 size, float spacing, float jitter = 0.1f, int seed = 1);

// ---- ropes and hair ----

// count + 1 points from one end to the other.
Result<std::vector<Vec3>> make_line(Vec3 from, Vec3 to, int count);

// count + 1 points up a screw line that turns counterclockwise as seen from above. The height may also be 0
// or negative, and so may the turns, up to a million.
Result<std::vector<Vec3>> make_helix(float radius, float height, float turns, int count);

// Straight strands of count + 1 points each, root first, evenly spread by the golden ratio: upward from a
// disc, or outward from the upper `coverage` (0 … 1) of a sphere's area.
Result<std::vector<std::vector<Vec3>>> make_strands_on_disc(float radius, float length, int strands,
                                                            int count);
Result<std::vector<std::vector<Vec3>>> make_strands_on_sphere(float radius, float length, int strands,
                                                              int count, float coverage = 1);

}  // namespace pliant
