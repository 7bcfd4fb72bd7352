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
        points.positions.push_back(s.position);
        points.clearance.push_back(0);
        points.fixed.push_back(s.fixed);
    }
    points.on_surface = points.positions.size();

    progress.stage("points inside", 0.15, 0.35);
    const double most = 2 * lattice.spacing;
    const Occupancy occupancy = find_inside(lattice, solid, lattice_clearance * lattice.spacing, progress);
    points.simple = occupancy.simple;
    for (LatticePoint i = 0; i < occupancy.inside.size(); ++i) {
        if (occupancy.inside[i] == 0) continue;
        const Vec3d p = round_to_float(lattice.position(i));
        const double d = min(sqrt(solid.tree().nearest(p, most * most).squared_distance), most);
        points.positions.push_back(p);
        points.clearance.push_back(d);
        points.fixed.push_back(false);
    }
    return points;
}

// Decides which of the tetrahedra are inside: those with their centroid there. A long one may still bridge a
// gap, so the middles of its edges may not be far out.
class Carver {
public:
    Carver(const Points& points, const Solid& solid, double edge)
        : points_(points), p_(points.positions), solid_(solid), edge_(edge) {}

    bool keeps(const Tetrahedron& t) const {
        const Vec3d centroid = (p_[t[0]] + p_[t[1]] + p_[t[2]] + p_[t[3]]) * 0.25;
        // Where the winding number changes only at the surface, it need not be asked for near a point that is
        // clear of it.
        const bool clear = solid_.closed() && std::any_of(t.begin(), t.end(), [&](std::uint32_t v) {
                               return length(centroid - p_[v]) < points_.clearance[v];
                           });
        if (!clear && !solid_.inside(centroid)) return false;
        for (std::size_t i = 0; i < 4; ++i) {
            for (std::size_t j = i + 1; j < 4; ++j) {
                if (length(p_[t[j]] - p_[t[i]]) > long_edge * edge_ && bridges(p_[t[i]], p_[t[j]]))
                    return false;
            }
        }
        return true;
    }

private:
    // In edge lengths.
    static constexpr double long_edge = 2, far_out = 0.5;

    bool bridges(const Vec3d& a, const Vec3d& b) const {
        for (const double share : {0.25, 0.5, 0.75}) {
            const Vec3d p = a + (b - a) * share;
            if (!solid_.tree().any_within(p, far_out * far_out * edge_ * edge_) && !solid_.inside(p))
                return true;
        }
        return false;
    }

    const Points& points_;
    const std::vector<Vec3d>& p_;
    const Solid& solid_;
    double edge_;
};

std::vector<Tetrahedron> carve(const std::vector<Tetrahedron>& all, const Points& points, const Solid& solid,
                               double edge, Progress& progress) {
    const Carver carver(points, solid, edge);
    std::vector<Tetrahedron> kept;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i % 4096 == 0 && !progress.at(static_cast<double>(i) / static_cast<double>(all.size()))) break;
        if (carver.keeps(all[i])) kept.push_back(all[i]);
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
    filling.tetrahedra = carve(all, points, solid, lattice.spacing, progress);
    filling.positions = std::move(points.positions);
    progress.stage("improving", 0.75, 0.95);
    if (progress.stopped()) return {};
    improve(filling, points.fixed, solid, lattice.spacing, progress);
    return filling;
}

}  // namespace pliant::mesh
