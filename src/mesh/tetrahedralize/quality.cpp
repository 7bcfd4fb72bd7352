#include <pliant/mesh.h>
#include <pliant/tetrahedralize.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/convert.h"
#include "base/floating_point.h"
#include "base/geometry/tetrahedron.h"
#include "mesh/geometry/angle.h"
#include "mesh/geometry/mesh_checks.h"
#include "mesh/topology/used_vertices.h"

namespace pliant {
namespace {

using Corners = std::array<Vec3d, 4>;

struct Angles {
    double smallest = 180, largest = 0;
};

// At the edge ij, between the faces that have k and l: the angle from one normal to the other.
Angles dihedral_angles(const Corners& p) {
    constexpr std::size_t edges[6][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2},
                                         {1, 2, 0, 3}, {1, 3, 2, 0}, {2, 3, 0, 1}};
    Angles angles;
    for (const auto& [i, j, k, l] : edges) {
        const Vec3d edge = p[j] - p[i];
        const Vec3d m = cross(edge, p[k] - p[i]), n = cross(edge, p[l] - p[i]);
        const double angle = mesh::angle_of(length(cross(m, n)), dot(m, n)) * (180 / mesh::pi);
        angles.smallest = std::min(angles.smallest, angle);
        angles.largest = std::max(angles.largest, angle);
    }
    return angles;
}

// With a, b, c from one corner to the others: R = |a²(b×c) + b²(c×a) + c²(a×b)| / (2 a·(b×c)).
double radius_edge_ratio(const Corners& p) {
    const Vec3d a = p[1] - p[0], b = p[2] - p[0], c = p[3] - p[0];
    const Vec3d sum = cross(b, c) * dot(a, a) + cross(c, a) * dot(b, b) + cross(a, b) * dot(c, c);
    double shortest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < 4; ++i) {
        for (std::size_t j = i + 1; j < 4; ++j) shortest = std::min(shortest, length(p[j] - p[i]));
    }
    const double twelve_volumes = 2 * abs(dot(a, cross(b, c)));
    if (twelve_volumes == 0 || shortest == 0) return std::numeric_limits<double>::infinity();
    return length(sum) / twelve_volumes / shortest;
}

void measure_edges(const TetrahedralMesh& mesh, TetrahedralQuality& q) {
    const std::vector<Edge> edges = unique_edges(mesh.tetrahedra);
    q.shortest_edge = std::numeric_limits<double>::infinity();
    for (const auto& [a, b] : edges) {
        const double l = length(to_double(mesh.positions[b]) - to_double(mesh.positions[a]));
        q.mean_edge += l;
        q.shortest_edge = std::min(q.shortest_edge, l);
        q.longest_edge = std::max(q.longest_edge, l);
    }
    q.mean_edge /= static_cast<double>(edges.size());
}

}  // namespace

Result<TetrahedralQuality> quality(const TetrahedralMesh& mesh) {
    const StandardFloatingPoint floating_point;
    if (const Status ok = mesh::check_positions<float>(mesh.positions, "positions"); !ok) return ok.error();
    if (const Status ok = mesh::check_elements<4>(mesh.tetrahedra, mesh.positions.size(), "tetrahedra"); !ok)
        return ok.error();
    TetrahedralQuality q;
    q.vertices = mesh.positions.size();
    q.tetrahedra = mesh.tetrahedra.size();
    if (mesh.tetrahedra.empty()) return q;

    const std::vector<Triangle> surface = surface_triangles(mesh.tetrahedra);
    q.surface_triangles = surface.size();
    const std::vector<bool> on_surface = mesh::used_vertices(mesh.positions.size(), surface);

    q.smallest_dihedral = q.smallest_interior_dihedral = 180;
    for (const Tetrahedron& t : mesh.tetrahedra) {
        Corners p;
        bool interior = true;
        for (std::size_t i = 0; i < 4; ++i) {
            p[i] = to_double(mesh.positions[t[i]]);
            interior = interior && !on_surface[t[i]];
        }
        const double volume = tetrahedron_volume(p[0], p[1], p[2], p[3]);
        q.volume += volume;
        if (!(volume > 0)) ++q.inverted;
        const Angles angles = dihedral_angles(p);
        q.smallest_dihedral = std::min(q.smallest_dihedral, angles.smallest);
        q.largest_dihedral = std::max(q.largest_dihedral, angles.largest);
        if (interior) q.smallest_interior_dihedral = std::min(q.smallest_interior_dihedral, angles.smallest);
        q.worst_radius_edge = std::max(q.worst_radius_edge, radius_edge_ratio(p));
    }
    measure_edges(mesh, q);
    return q;
}

}  // namespace pliant
