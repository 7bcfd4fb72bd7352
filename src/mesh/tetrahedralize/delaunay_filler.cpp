#include "mesh/tetrahedralize/delaunay_filler.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/convert.h"
#include "mesh/delaunay/delaunay.h"
#include "mesh/geometry/triangle_subdivision.h"
#include "mesh/geometry/triangle_tree.h"
#include "mesh/tetrahedralize/improve.h"
#include "mesh/tetrahedralize/point_grid.h"
#include "mesh/tetrahedralize/surface_samples.h"

namespace pliant::mesh {
namespace {

// In edge lengths: points on the surface are at least so far apart …
constexpr double sample_distance = 0.8;
// … and lattice points at least so far from it.
constexpr double lattice_clearance = 0.55;
// Larger distances need not be known.
constexpr double most_clearance = 0.8;

// Around thin parts the tetrahedra fill balls, of this radius and their centres about so far apart.
constexpr double ball_distance = 0.25;
constexpr double padding = 0.65;

// To the faces and the corners of a cube.
constexpr double third = 0.57735026918962576;  // its root
constexpr std::array<Vec3d, 14> directions{{{1, 0, 0},
                                            {-1, 0, 0},
                                            {0, 1, 0},
                                            {0, -1, 0},
                                            {0, 0, 1},
                                            {0, 0, -1},
                                            {third, third, third},
                                            {-third, third, third},
                                            {third, -third, third},
                                            {-third, -third, third},
                                            {third, third, -third},
                                            {-third, third, -third},
                                            {third, -third, -third},
                                            {-third, -third, -third}}};

struct Points {
    std::vector<Vec3d> positions{};
    std::vector<Freedom> freedom{};
    std::vector<double> clearance{};  // how far the surface is away, as far as known; 0 for those on it

    void add(const Vec3d& position, Freedom free, double clear) {
        positions.push_back(position);
        freedom.push_back(free);
        clearance.push_back(clear);
    }
};

// Places all over triangles.
TriangleMesh choose_centres(const TriangleMesh& thin, const Lattice& lattice) {
    const double apart = ball_distance * lattice.spacing;
    PointGrid taken(lattice);
    TriangleMesh centres;
    const auto offer = [&](const Vec3d& p) {
        if (taken.any_within(p, apart)) return;
        taken.add(p);
        const auto number = static_cast<std::uint32_t>(centres.positions.size());
        centres.positions.push_back(to_float(p));
        centres.triangles.push_back({number, number, number});
    };
    const auto is_small = [&](const Corners&, double longest) { return longest <= apart * apart; };
    for (const Triangle& t : thin.triangles) {
        const auto& p = thin.positions;
        for_each_subtriangle({to_double(p[t[0]]), to_double(p[t[1]]), to_double(p[t[2]])}, is_small,
                             [&](const Corners& part) { std::for_each(part.begin(), part.end(), offer); });
    }
    return centres;
}

// A solid and balls along thin parts of its surface.
class Body {
public:
    Body(const Solid& solid, const Lattice& lattice, const Clearances& clearances,
         const TriangleMesh& centres)
        : solid_(solid),
          lattice_(lattice),
          clearances_(clearances),
          centres_(centres.positions, centres.triangles),
          radius_(padding * lattice.spacing) {}

    bool closed() const { return solid_.closed(); }
    bool inside(const Vec3d& p) const { return centres_.any_within(p, radius_ * radius_) || inside_solid(p); }
    bool near_surface(const Vec3d& p, double distance) const {
        return solid_.tree().any_within(p, distance * distance);
    }
    // In a ball; negative outside.
    double depth(const Vec3d& p) const {
        return radius_ - sqrt(centres_.nearest(p, radius_ * radius_).squared_distance);
    }
    // Where a direction from a centre leads out of the balls, about, if that is also out of the solid.
    bool leave(const Vec3d& from, const Vec3d& direction, Vec3d& there) const {
        const Vec3d p = from + direction * radius_, foot = centres_.closest(p);
        const double distance = length(p - foot);
        if (!(distance > 0.1 * radius_)) return false;
        there = round_to_float(foot + (p - foot) * (radius_ / distance));
        const double nearly = 0.95 * radius_;
        return !centres_.any_within(there, nearly * nearly) && !inside_solid(there);
    }

private:
    // Where the winding number changes only at the surface, it need not be asked for near a lattice point
    // that is clear of it.
    bool inside_solid(const Vec3d& p) const {
        const LatticePoint q = lattice_.nearest(p);
        const double clearance = clearances_.distance[q];
        if (solid_.closed() && clearance >= lattice_clearance * lattice_.spacing) {
            if (length(p - lattice_.position(q)) < clearance) return clearances_.occupancy.inside[q] != 0;
        }
        return solid_.inside(p);
    }

    const Solid& solid_;
    const Lattice& lattice_;
    const Clearances& clearances_;
    TriangleTree centres_;
    double radius_;
};

// Samples that come to lie inside stay if they are deep enough; on the boundary around thin parts others take
// their place.
Points add_padding(const Points& points, const TriangleMesh& centres, const Body& body,
                   const Lattice& lattice) {
    Points padded;
    PointGrid outer(lattice);
    for (std::size_t i = 0; i < points.positions.size(); ++i) {
        const Vec3d& p = points.positions[i];
        const double depth = points.clearance[i] > 0 ? 0 : body.depth(p);
        if (depth > 0 && depth < lattice_clearance * lattice.spacing) continue;
        padded.add(p, depth > 0 ? Freedom::full : points.freedom[i], max(points.clearance[i], depth));
        if (padded.clearance.back() <= 0) outer.add(p);
    }
    for (const Vec3& from : centres.positions) {
        for (const Vec3d& direction : directions) {
            Vec3d p;
            if (!body.leave(to_double(from), direction, p)) continue;
            if (outer.any_within(p, sample_distance * lattice.spacing)) continue;
            outer.add(p);
            padded.add(p, Freedom::full, 0);
        }
    }
    return padded;
}

// Decides which of the tetrahedra are inside: those with their centroid there. A long one may still bridge a
// gap, so the middles of its edges may not be far out.
class Carver {
public:
    Carver(const Points& points, const Body& body, double edge)
        : points_(points), p_(points.positions), body_(body), edge_(edge) {}

    bool keeps(const Tetrahedron& t) const {
        const Vec3d centroid = (p_[t[0]] + p_[t[1]] + p_[t[2]] + p_[t[3]]) * 0.25;
        const bool clear = body_.closed() && std::any_of(t.begin(), t.end(), [&](std::uint32_t v) {
                               return length(centroid - p_[v]) < points_.clearance[v];
                           });
        if (!clear && !body_.inside(centroid)) return false;
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
            if (!body_.near_surface(p, far_out * edge_) && !body_.inside(p)) return true;
        }
        return false;
    }

    const Points& points_;
    const std::vector<Vec3d>& p_;
    const Body& body_;
    double edge_;
};

std::vector<Tetrahedron> carve(const std::vector<Tetrahedron>& all, const Points& points, const Body& body,
                               double edge, Progress& progress) {
    const Carver carver(points, body, edge);
    std::vector<Tetrahedron> kept;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (i % 4096 == 0 && !progress.at(static_cast<double>(i) / static_cast<double>(all.size()))) break;
        if (carver.keeps(all[i])) kept.push_back(all[i]);
    }
    return kept;
}

class DelaunayFiller : public Filler {
public:
    DelaunayFiller(const TriangleMesh& surface, const Lattice& lattice, const Solid& solid,
                   Progress& progress)
        : lattice_(lattice), solid_(solid) {
        progress.stage("points on the surface", 0, 0.3);
        for (const SurfaceSample& s : sample_surface(surface, lattice, sample_distance * lattice.spacing)) {
            points_.add(s.position, s.fixed ? Freedom::none : Freedom::surface, 0);
        }
        progress.stage("points inside", 0.3, 1);
        clearances_ = find_clearances(lattice, surface, solid, lattice_clearance * lattice.spacing,
                                      most_clearance * lattice.spacing, progress);
        for (LatticePoint i = 0; i < clearances_.distance.size(); ++i) {
            if (clearances_.occupancy.inside[i] == 0) continue;
            points_.add(round_to_float(lattice.position(i)), Freedom::surface, clearances_.distance[i]);
        }
    }

    FillResult fill(const TriangleMesh& thin, Progress& progress) const override {
        progress.stage("Delaunay tetrahedra", 0, 0.4);
        if (progress.stopped()) return {};
        const TriangleMesh centres = choose_centres(thin, lattice_);
        const Body body(solid_, lattice_, clearances_, centres);
        Points points = centres.positions.empty() ? points_ : add_padding(points_, centres, body, lattice_);
        const std::vector<Tetrahedron> all = delaunay_tetrahedra(points.positions);
        progress.stage("inside or outside", 0.4, 0.65);
        FillResult filled;
        filled.simple = clearances_.occupancy.simple;
        filled.tetrahedra = carve(all, points, body, lattice_.spacing, progress);
        filled.positions = std::move(points.positions);
        progress.stage("improving", 0.65, 1);
        if (progress.stopped()) return {};
        improve(filled, points.freedom, solid_, lattice_.spacing, progress);
        return filled;
    }

private:
    const Lattice& lattice_;
    const Solid& solid_;
    Points points_;
    Clearances clearances_;
};

}  // namespace

std::unique_ptr<Filler> make_delaunay_filler(const TriangleMesh& surface, const Lattice& lattice,
                                             const Solid& solid, Progress& progress) {
    return std::make_unique<DelaunayFiller>(surface, lattice, solid, progress);
}

}  // namespace pliant::mesh
