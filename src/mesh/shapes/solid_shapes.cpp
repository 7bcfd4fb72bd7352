// Round solids: a ball of 20 tetrahedra about its centre, or discs one above the other, or round a ring.
// Large tetrahedra are cut into lattices of small ones (the edgewise subdivision of Edelsbrunner and
// Grayson 2000), whose faces match where all tetrahedra list their corners in one common order.
#include <pliant/shapes.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/convert.h"
#include "base/floating_point.h"
#include "mesh/geometry/coincident_points.h"
#include "mesh/shapes/shape_checks.h"
#include "mesh/shapes/shape_points.h"

namespace pliant {
namespace {

using mesh::ShapeChecks;

// Cuts a tetrahedron into n³. Its points are 0 ≤ z ≤ y ≤ x ≤ n, with barycentric weights
// (n − x, x − y, y − z, z): so its corners span one of Kuhn's six parts of a cube, and the small
// tetrahedra are the parts of small cubes that lie in it.
template <class PointAt>
void append_lattice(TetrahedralMesh& mesh, int n, bool positive, PointAt&& point_at) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (int x = 0; x <= n; ++x) {
        for (int y = 0; y <= x; ++y) {
            for (int z = 0; z <= y; ++z) {
                mesh.positions.push_back(point_at(std::array<int, 4>{n - x, x - y, y - z, z}));
            }
        }
    }
    for (int x = 0; x < n; ++x) {
        for (int y = 0; y <= x; ++y) {
            for (int z = 0; z <= y; ++z) {
                for (const auto& path : mesh::kuhn_corners) {
                    Tetrahedron t;
                    bool within = true;
                    for (std::size_t k = 0; k < 4; ++k) {
                        const int px = x + static_cast<int>(path[k] & 1),
                                  py = y + static_cast<int>(path[k] >> 1 & 1),
                                  pz = z + static_cast<int>(path[k] >> 2);
                        within = within && pz <= py && py <= px;
                        t[k] = first + static_cast<std::uint32_t>(px * (px + 1) * (px + 2) / 6 +
                                                                  py * (py + 1) / 2 + pz);
                    }
                    if (!within) continue;
                    if (!positive) std::swap(t[2], t[3]);
                    mesh.tetrahedra.push_back(t);
                }
            }
        }
    }
}

// A disc of rings about a centre, ring k with 6k points; ring 0 is the centre.
std::uint32_t disc_point(int ring, int i) {
    return ring == 0 ? 0 : static_cast<std::uint32_t>(1 + 3 * ring * (ring - 1) + i % (6 * ring));
}

// Counterclockwise as seen from above.
std::vector<Triangle> disc_triangles(int rings) {
    std::vector<Triangle> triangles;
    for (int sector = 0; sector < 6; ++sector) {
        for (int ring = 0; ring < rings; ++ring) {
            const int inner = sector * ring, outer = sector * (ring + 1);
            for (int i = 0; i <= ring; ++i) {
                triangles.push_back({disc_point(ring, inner + i), disc_point(ring + 1, outer + i),
                                     disc_point(ring + 1, outer + i + 1)});
                if (i == ring) break;
                triangles.push_back({disc_point(ring, inner + i), disc_point(ring + 1, outer + i + 1),
                                     disc_point(ring, inner + i + 1)});
            }
        }
    }
    return triangles;
}

// Discs, each at place(radius, turns, number of the disc), joined to the next, and the last to the first if
// `round`. Between two discs stand prisms of three tetrahedra each. The diagonal of a prism's side rises to
// the larger of the two numbers in the disc, so that neighbours agree.
template <class Place>
TetrahedralMesh sweep_disc(double radius, int rings, int discs, bool round, Place&& place) {
    TetrahedralMesh mesh;
    for (int disc = 0; disc < discs; ++disc) {
        mesh.positions.push_back(place(0.0, 0.0, disc));
        for (int ring = 1; ring <= rings; ++ring) {
            for (int i = 0; i < 6 * ring; ++i) {
                mesh.positions.push_back(place(radius * ring / rings, i / (6.0 * ring), disc));
            }
        }
    }
    const auto stride = static_cast<std::uint32_t>(1 + 3 * rings * (rings + 1));
    const std::vector<Triangle> triangles = disc_triangles(rings);
    for (int disc = 0; disc < (round ? discs : discs - 1); ++disc) {
        const std::uint32_t low = static_cast<std::uint32_t>(disc) * stride,
                            high = static_cast<std::uint32_t>((disc + 1) % discs) * stride;
        for (Triangle t : triangles) {
            const bool even = mesh::sort_corners(t);
            const auto [a, b, c] = t;
            const Tetrahedron parts[] = {{low + a, low + b, low + c, high + c},
                                         {low + a, high + b, low + b, high + c},
                                         {low + a, high + a, high + b, high + c}};
            for (Tetrahedron part : parts) {
                if (!even) std::swap(part[1], part[2]);
                mesh.tetrahedra.push_back(part);
            }
        }
    }
    return mesh;
}

// Six tetrahedra (centre, two corners of the rim, pole), cut into lattices and bulged: points with the
// weight `up` of the pole form rings about the axis. Its flat side is the disc of sweep_disc, bit for bit.
void append_half_ball(TetrahedralMesh& mesh, double radius, int rings, double y, bool upper) {
    for (int sector = 0; sector < 6; ++sector) {
        // The common order: corner 0 of the rim comes before corner 5.
        const bool in_order = sector < 5;
        append_lattice(mesh, rings, in_order == upper, [&](const std::array<int, 4>& weights) {
            const int shell = rings - weights[0], up = weights[3], around = shell - up;
            const int i = sector * around + weights[in_order ? 2 : 1];
            const double r = radius * shell / rings;
            const auto [sine, cosine] = sine_cosine_of_turns(shell == 0 ? 0 : up / (4.0 * shell));
            const double height = r * sine;
            return to_float(mesh::at_turns(r * cosine, around == 0 ? 0 : i / (6.0 * around),
                                           upper ? y + height : y - height));
        });
    }
}

TetrahedralMesh ball(float radius, int layers) {
    TetrahedralMesh mesh;
    for (Triangle face : mesh::icosahedron_faces) {
        const bool even = mesh::sort_corners(face);
        append_lattice(mesh, layers, even, [&](const std::array<int, 4>& weights) {
            const int layer = layers - weights[0];
            if (layer == 0) return Vec3{};
            return mesh::point_on_icosphere(face, {weights[1], weights[2], weights[3]},
                                            static_cast<double>(radius) * layer / layers);
        });
    }
    mesh::join_equal_points(mesh.positions, mesh.tetrahedra);
    return mesh;
}

TetrahedralMesh cylinder(float radius, float height, int rings, int rows) {
    return sweep_disc(radius, rings, rows + 1, false, [&](double r, double turns, int row) {
        return to_float(mesh::at_turns(r, turns, mesh::grid_point(height, row, rows)));
    });
}

TetrahedralMesh capsule(float radius, float height, int rings, int rows) {
    TetrahedralMesh mesh = cylinder(radius, height, rings, rows);
    append_half_ball(mesh, radius, rings, mesh::grid_point(height, rows, rows), true);
    append_half_ball(mesh, radius, rings, mesh::grid_point(height, 0, rows), false);
    mesh::join_equal_points(mesh.positions, mesh.tetrahedra);
    return mesh;
}

TetrahedralMesh torus(float major_radius, float minor_radius, int rings, int segments) {
    return sweep_disc(minor_radius, rings, segments, true, [&](double r, double turns, int segment) {
        // The disc stands upright; seen along the way round it turns counterclockwise.
        const auto [sine, cosine] = sine_cosine_of_turns(turns);
        return to_float(
            mesh::at_turns(major_radius + r * cosine, static_cast<double>(segment) / segments, 0 - r * sine));
    });
}

}  // namespace

Result<TetrahedralMesh> make_ball(float radius, int layers) {
    const StandardFloatingPoint floating_point;
    return mesh::make_checked<TetrahedralMesh>(
        ShapeChecks().size("radius", radius).count("layers", layers).elements(20, layers, layers, layers),
        [&] { return ball(radius, layers); });
}

Result<TetrahedralMesh> make_cylinder(float radius, float height, int rings, int rows) {
    const StandardFloatingPoint floating_point;
    return mesh::make_checked<TetrahedralMesh>(ShapeChecks()
                                                   .size("radius", radius)
                                                   .size("height", height)
                                                   .count("rings", rings)
                                                   .count("rows", rows)
                                                   .elements(18, rings, rings, rows),
                                               [&] { return cylinder(radius, height, rings, rows); });
}

Result<TetrahedralMesh> make_capsule(float radius, float height, int rings, int rows) {
    const StandardFloatingPoint floating_point;
    return mesh::make_checked<TetrahedralMesh>(ShapeChecks()
                                                   .size("radius", radius)
                                                   .size("height", height)
                                                   .count("rings", rings)
                                                   .count("rows", rows)
                                                   .elements(18, rings, rings, rows + 1.0 * rings),
                                               [&] { return capsule(radius, height, rings, rows); });
}

Result<TetrahedralMesh> make_torus(float major_radius, float minor_radius, int rings, int segments) {
    const StandardFloatingPoint floating_point;
    return mesh::make_checked<TetrahedralMesh>(
        ShapeChecks()
            .size("major_radius", major_radius)
            .size("minor_radius", minor_radius)
            .below("minor_radius", minor_radius, "major_radius", major_radius)
            .count("rings", rings)
            .count("segments", segments, 3)
            .elements(18, rings, rings, segments),
        [&] { return torus(major_radius, minor_radius, rings, segments); });
}

}  // namespace pliant
