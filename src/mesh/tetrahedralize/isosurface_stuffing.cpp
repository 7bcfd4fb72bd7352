// Labelle & Shewchuk 2007, "Isosurface Stuffing: Fast Tetrahedral Meshes with Good Dihedral Angles", for
// a lattice of one spacing, with their constants for the largest smallest angle: every dihedral angle is
// then between 10.7° and 164.8°.
//
// 1. Signs at the lattice's points, cuts on edges between points of different sign.
// 2. A point that has a cut too near is moved onto it and lies on the surface from then on (sign 0). The
//    other cuts on its edges disappear.
// 3. What of each lattice tetrahedron is inside is divided into tetrahedra. Only faces with two inner
//    points and one outer leave a choice: they are quadrilaterals, and their diagonal must be the same in
//    both tetrahedra that share them.
//
// Stencils are derived from the rule for diagonals rather than listed.
#include "mesh/tetrahedralize/isosurface_stuffing.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/convert.h"
#include "base/geometry/tetrahedron.h"
#include "mesh/tetrahedralize/lattice_cuts.h"

namespace pliant::mesh {
namespace {

constexpr std::uint32_t none = 0xffffffff;

class IsosurfaceStuffer {
public:
    IsosurfaceStuffer(const Lattice& lattice, std::vector<std::uint8_t> inside, std::vector<Cut> cuts,
                      Progress& progress)
        : lattice_(lattice),
          edges_(lattice),
          progress_(progress),
          inside_(std::move(inside)),
          cuts_(std::move(cuts)) {
        moved_to_.resize(inside_.size(), none);
        vertex_of_point_.resize(inside_.size(), none);
        vertex_of_cut_.resize(cuts_.size(), none);
        first_cut_.resize(static_cast<std::size_t>(lattice.size()) + 1);
        std::size_t cut = 0;
        for (std::uint32_t site = 0; site <= lattice.size(); ++site) {
            while (cut < cuts_.size() && cuts_[cut].edge / LatticeEdges::per_site < site) ++cut;
            first_cut_[site] = static_cast<std::uint32_t>(cut);
        }
    }

    FillResult run() {
        progress_.stage("tetrahedra", 0, 1);
        if (progress_.stopped()) return {};
        warp();
        fill();
        return std::move(result_);
    }

private:
    std::uint32_t find_cut(std::uint32_t edge) const {
        const std::uint32_t site = edge / LatticeEdges::per_site;
        for (std::uint32_t i = first_cut_[site]; i < first_cut_[site + 1]; ++i) {
            if (cuts_[i].edge == edge) return i;
        }
        return none;
    }

    // Each point with a cut, in the order of their numbers. Another order gives another mesh, as good.
    void warp() {
        std::vector<LatticePoint> points;
        points.reserve(2 * cuts_.size());
        for (const Cut& cut : cuts_) {
            for (const LatticePoint end : edges_.ends(cut.edge)) points.push_back(end);
        }
        std::sort(points.begin(), points.end());
        points.erase(std::unique(points.begin(), points.end()), points.end());
        for (const LatticePoint point : points) warp(point);
    }

    void warp(LatticePoint point) {
        std::uint32_t nearest = none;
        double nearest_distance = lattice_.spacing;
        const auto around = edges_.around(point);
        for (std::size_t i = 0; i < around.size(); ++i) {
            const std::uint32_t cut = find_cut(around[i]);
            if (cut == none || gone(cut)) continue;
            const bool is_long = i < LatticeEdges::long_edges;
            const double share = inside_[point] != 0 ? cuts_[cut].share : 1 - cuts_[cut].share;
            if (share > (is_long ? long_share : short_share)) continue;
            const double distance = share * lattice_.spacing * (is_long ? 1 : sqrt(0.75));
            if (distance >= nearest_distance) continue;
            nearest = cut;
            nearest_distance = distance;
        }
        moved_to_[point] = nearest;
    }

    bool gone(std::uint32_t cut) const {
        const auto [a, b] = edges_.ends(cuts_[cut].edge);
        return moved_to_[a] != none || moved_to_[b] != none;
    }

    // +1 inside, 0 on the surface, −1 outside.
    int sign(LatticePoint point) const {
        if (moved_to_[point] != none) return 0;
        return inside_[point] != 0 ? 1 : -1;
    }

    std::uint32_t add_vertex(const Vec3d& position) {
        result_.positions.push_back(position);
        return static_cast<std::uint32_t>(result_.positions.size() - 1);
    }
    std::uint32_t vertex(LatticePoint point) {
        std::uint32_t& v = vertex_of_point_[point];
        if (v == none) {
            const std::uint32_t cut = moved_to_[point];
            v = add_vertex(cut == none ? lattice_.position(point) : cuts_[cut].position);
        }
        return v;
    }
    std::uint32_t cut_vertex(LatticePoint inner, LatticePoint outer) {
        const std::uint32_t cut = find_cut(edges_.between(inner, outer));
        std::uint32_t& v = vertex_of_cut_[cut];
        if (v == none) v = add_vertex(cuts_[cut].position);
        return v;
    }

    // Called with a list in braces, which is evaluated from left to right: vertices are numbered as they
    // come.
    void add(const Tetrahedron& t) {
        const auto& p = result_.positions;
        const auto [a, b, c, d] = t;
        const bool positive = six_volumes(p[a], p[b], p[c], p[d]) > 0;
        result_.tetrahedra.push_back(positive ? t : Tetrahedron{a, c, b, d});
    }

    // The lattice's tetrahedra: two cubes side by side, their centres and an edge of their common face.
    void fill() {
        const auto& n = lattice_.sites;
        const auto strides = lattice_.strides();
        for (std::uint32_t k = 1; k + 1 < n[2]; ++k) {
            if (!progress_.at(static_cast<double>(k) / n[2])) return;
            for (std::uint32_t j = 1; j + 1 < n[1]; ++j) {
                for (std::uint32_t i = 1; i + 1 < n[0]; ++i) {
                    const std::uint32_t site = lattice_.site(i, j, k);
                    for (std::size_t d = 0; d < 3; ++d) {
                        const std::uint32_t next = site + strides[d];
                        const std::uint32_t u = strides[(d + 1) % 3], v = strides[(d + 2) % 3];
                        const std::array<LatticePoint, 4> face{2 * next, 2 * (next + u), 2 * (next + u + v),
                                                               2 * (next + v)};
                        for (std::size_t e = 0; e < 4; ++e) {
                            fill({2 * site + 1, 2 * next + 1, face[e], face[(e + 1) % 4]});
                        }
                    }
                }
            }
        }
    }

    void fill(const std::array<LatticePoint, 4>& corners) {
        std::array<LatticePoint, 4> plus, zero, minus;
        std::size_t pluses = 0, zeros = 0, minuses = 0;
        for (const LatticePoint p : corners) {
            const int s = sign(p);
            if (s > 0) plus[pluses++] = p;
            if (s == 0) zero[zeros++] = p;
            if (s < 0) minus[minuses++] = p;
        }
        if (pluses == 0) return;
        if (minuses == 0) {
            return add({vertex(corners[0]), vertex(corners[1]), vertex(corners[2]), vertex(corners[3])});
        }
        if (pluses == 1) {
            std::array<std::uint32_t, 3> others;
            for (std::size_t i = 0; i < zeros; ++i) others[i] = vertex(zero[i]);
            for (std::size_t i = 0; i < minuses; ++i) others[zeros + i] = cut_vertex(plus[0], minus[i]);
            return add({vertex(plus[0]), others[0], others[1], others[2]});
        }
        if (pluses == 3) return add_prism(plus, minus[0]);
        if (minuses == 2) return add_wedge(plus[0], plus[1], minus[0], minus[1]);
        add_pyramid(plus[0], plus[1], minus[0], zero[0]);
    }

    // The diagonal of the quadrilateral that is left of the triangle (a, b, outer) starts at a: at the one
    // with the short cut edge; of two short ones by parity, which differs from each point to its neighbours
    // of the same colour, so that the two quadrilaterals at a long edge start theirs at different ends.
    bool starts_at(LatticePoint a, LatticePoint b, LatticePoint outer) const {
        if (!LatticeEdges::is_long(a, b)) return !LatticeEdges::is_long(a, outer);
        return parity(a) == parity(outer);
    }
    std::uint32_t parity(LatticePoint point) const {
        const auto at = lattice_.coordinates(point / 2);
        return (at[0] + at[1] + at[2]) % 2;
    }

    void add_pyramid(LatticePoint a, LatticePoint b, LatticePoint outer, LatticePoint top) {
        if (!starts_at(a, b, outer)) std::swap(a, b);
        const std::uint32_t cut_a = cut_vertex(a, outer), cut_b = cut_vertex(b, outer);
        add({vertex(a), vertex(b), cut_b, vertex(top)});
        add({vertex(a), cut_b, cut_a, vertex(top)});
    }

    void add_wedge(LatticePoint a, LatticePoint b, LatticePoint m, LatticePoint n) {
        if (!starts_at(a, b, m)) std::swap(a, b);  // then the diagonal of (a, b, n) starts at b
        const std::uint32_t am = cut_vertex(a, m), an = cut_vertex(a, n), bm = cut_vertex(b, m),
                            bn = cut_vertex(b, n);
        add({vertex(a), vertex(b), bm, an});
        add({vertex(a), am, an, bm});
        add({vertex(b), bm, bn, an});
    }

    // Of the three inner points two have short cut edges, and both their diagonals end at the third's cut:
    // "starts at" is an order.
    void add_prism(const std::array<LatticePoint, 4>& plus, LatticePoint outer) {
        LatticePoint a = plus[0], b = plus[1], c = plus[2];
        if (starts_at(b, a, outer)) std::swap(a, b);
        if (starts_at(c, b, outer)) std::swap(b, c);
        if (starts_at(b, a, outer)) std::swap(a, b);
        const std::uint32_t cut_a = cut_vertex(a, outer), cut_b = cut_vertex(b, outer),
                            cut_c = cut_vertex(c, outer);
        add({vertex(a), vertex(b), vertex(c), cut_c});
        add({vertex(a), vertex(b), cut_b, cut_c});
        add({vertex(a), cut_a, cut_b, cut_c});
    }

    const Lattice& lattice_;
    const LatticeEdges edges_;
    Progress& progress_;
    std::vector<std::uint8_t> inside_;
    std::vector<Cut> cuts_;
    std::vector<std::uint32_t> first_cut_;        // of each site
    std::vector<std::uint32_t> moved_to_;         // the cut that a point was moved to
    std::vector<std::uint32_t> vertex_of_point_;  // in the result
    std::vector<std::uint32_t> vertex_of_cut_;
    FillResult result_;
};

class LatticeFiller : public Filler {
public:
    LatticeFiller(const Lattice& lattice, const Solid& solid, Progress& progress)
        : lattice_(lattice), edges_(lattice) {
        progress.stage("inside or outside", 0, 0.35);
        occupancy_ = find_inside(lattice, solid, progress);
        progress.stage("cuts along edges", 0.35, 1);
        cuts_ = find_cuts(lattice, edges_, solid, occupancy_.inside, progress);
    }

    FillResult fill(const TriangleMesh& thin, Progress& progress) const override {
        std::vector<std::uint8_t> inside = occupancy_.inside;
        std::vector<Cut> cuts = cuts_;
        if (!thin.triangles.empty()) {
            keep_inside(lattice_, edges_, find_along(lattice_, thin), inside, cuts);
        }
        FillResult filled = IsosurfaceStuffer(lattice_, std::move(inside), std::move(cuts), progress).run();
        filled.simple = occupancy_.simple;
        return filled;
    }

private:
    const Lattice& lattice_;
    const LatticeEdges edges_;
    Occupancy occupancy_;
    std::vector<Cut> cuts_;
};

}  // namespace

std::unique_ptr<Filler> make_lattice_filler(const Lattice& lattice, const Solid& solid, Progress& progress) {
    return std::make_unique<LatticeFiller>(lattice, solid, progress);
}

}  // namespace pliant::mesh
