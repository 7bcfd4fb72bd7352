#include "mesh/delaunay_filling.h"

#include <pliant/tetrahedralize.h>

#include <algorithm>
#include <utility>

#include "base/convert.h"
#include "mesh/improve.h"
#include "mesh/surface_samples.h"

namespace pliant::mesh {
namespace {

// In edge lengths: points on the surface are at least so far apart …
constexpr double sample_distance = 0.8;
// … and lattice points at least so far from it.
constexpr double lattice_clearance = 0.55;

struct Points {
    std::vector<Vec3d> positions{};
    // For each, how far the surface is away, up to two edges; 0 for those on it.
    std::vector<double> clearance{};
    std::vector<bool> fixed{};
    std::size_t on_surface = 0;  // the first so many
    bool simple = true;
};

Points choose_points(const TriangleMesh& surface, const Lattice& lattice, const Solid& solid,
                     Progress& progress) {
    Points points;
    progress.stage("points on the surface", 0.05, 0.15);
    for (const SurfaceSample& s : sample_surface(surface, lattice, sample_distance * lattice.spacing)) {
        points.positions.push_back(to_double(s.position));
        points.clearance.push_back(0);
        points.fixed.push_back(s.fixed);
    }
    points.on_surface = points.positions.size();

    progress.stage("points inside", 0.15, 0.35);
    const Occupancy occupancy = find_inside(lattice, solid, progress);
    points.simple = occupancy.simple;
    const double least = lattice_clearance * lattice.spacing, most = 2 * lattice.spacing;
    for (LatticePoint i = 0; i < occupancy.inside.size(); ++i) {
        if (occupancy.inside[i] == 0) continue;
        const Vec3d p = to_double(to_float(lattice.position(i)));
        const double d = min(sqrt(solid.tree().nearest(p, most * most).squared_distance), most);
        if (d < least) continue;
        points.positions.push_back(p);
        points.clearance.push_back(d);
        points.fixed.push_back(false);
    }
    return points;
}

// Tetrahedra whose centroid is inside. Where the winding number changes only at the surface, it need not be
// asked for near a point that is clear of it.
std::vector<Tetrahedron> carve(const std::vector<Tetrahedron>& all, const Points& points, const Solid& solid,
                               Progress& progress) {
    std::vector<Tetrahedron> kept;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i % 4096 == 0 && !progress.at(static_cast<double>(i) / static_cast<double>(all.size()))) break;
        const auto& [a, b, c, d] = all[i];
        const auto& p = points.positions;
        const Vec3d centroid = (p[a] + p[b] + p[c] + p[d]) * 0.25;
        const bool clear = solid.closed() && std::any_of(all[i].begin(), all[i].end(), [&](std::uint32_t v) {
                               return length(centroid - p[v]) < points.clearance[v];
                           });
        if (clear || solid.inside(centroid)) kept.push_back(all[i]);
    }
    return kept;
}

}  // namespace

Filling fill_by_delaunay(const TriangleMesh& surface, const Lattice& lattice, const Solid& solid,
                         Progress& progress) {
    Points points = choose_points(surface, lattice, solid, progress);
    progress.stage("Delaunay tetrahedra", 0.35, 0.6);
    if (progress.stopped()) return {};
    const std::vector<Tetrahedron> all = delaunay(points.positions);
    progress.stage("inside or outside", 0.6, 0.75);
    Filling filling;
    filling.simple = points.simple;
    filling.tetrahedra = carve(all, points, solid, progress);
    filling.positions = std::move(points.positions);
    progress.stage("improving", 0.75, 0.95);
    if (progress.stopped()) return {};
    improve(filling, points.fixed, solid, lattice.spacing, progress);
    return filling;
}

}  // namespace pliant::mesh
