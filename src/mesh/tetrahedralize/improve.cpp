// Local improvement in the manner of Freitag & Ollivier-Gooch 1997, "Tetrahedral mesh improvement using
// swapping and smoothing": only what raises the worst angle among the tetrahedra concerned is done.
#include "mesh/tetrahedralize/improve.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

#include "base/convert.h"
#include "mesh/tetrahedralize/editable_tetrahedra.h"

namespace pliant::mesh {
namespace {

constexpr double bad_sine = 0.26;     // 15°: work on these
constexpr double sliver_sine = 0.14;  // 8°: these may be taken off the outside
constexpr int most_passes = 6;
constexpr std::size_t longest_ring = 7;
constexpr std::uint32_t none = EditableTetrahedra::none;

class Improver {
public:
    Improver(EditableTetrahedra& mesh, const std::vector<Freedom>& freedom, const Solid& solid, double edge)
        : mesh_(mesh), freedom_(freedom), solid_(solid), edge_(edge), outside_(freedom.size()) {
        std::vector<Tetrahedron> all;
        for (std::uint32_t t = 0; t < mesh.size(); ++t) all.push_back(mesh[t]);
        for (const Triangle& face : surface_triangles(all)) {
            for (const std::uint32_t v : face) outside_[v] = true;
        }
    }

    void run(Progress& progress) {
        for (int pass = 0; pass < most_passes; ++pass) {
            std::vector<std::uint32_t> bad;
            for (std::uint32_t t = 0; t < mesh_.size(); ++t) {
                if (!mesh_.is_gone(t) && mesh_.quality(t) < bad_sine) bad.push_back(t);
            }
            std::sort(bad.begin(), bad.end(), [&](std::uint32_t a, std::uint32_t b) {
                return std::pair(mesh_.quality(a), a) < std::pair(mesh_.quality(b), b);
            });
            bool changed = false;
            for (std::size_t i = 0; i < bad.size(); ++i) {
                if (i % 256 == 0 &&
                    !progress.at((pass + static_cast<double>(i) / static_cast<double>(bad.size())) /
                                 most_passes)) {
                    return;
                }
                if (mesh_.is_gone(bad[i]) || mesh_.quality(bad[i]) >= bad_sine) continue;
                changed = improve(bad[i]) || changed;
            }
            if (!changed) return;
        }
    }

private:
    bool improve(std::uint32_t t) {
        if (mesh_.quality(t) < sliver_sine && take_off(t)) return true;
        for (std::size_t i = 0; i < 4; ++i) {
            for (std::size_t j = i + 1; j < 4; ++j) {
                if (remove_edge(mesh_[t][i], mesh_[t][j])) return true;
            }
        }
        for (std::size_t corner = 0; corner < 4; ++corner) {
            if (remove_face(t, corner)) return true;
        }
        bool moved = false;
        const Tetrahedron corners = mesh_[t];
        for (const std::uint32_t v : corners) moved = smooth(v) || moved;
        return moved;
    }

    // Removes a sliver from the outside, if that pinches the outside nowhere; or with it a sliver underneath,
    // when they lie stacked.
    bool take_off(std::uint32_t t) {
        std::array<std::uint32_t, 4> beneath;
        std::size_t outer = 0;
        for (std::size_t corner = 0; corner < 4; ++corner) {
            beneath[corner] = mesh_.across(t, corner);
            outer += beneath[corner] == none;
        }
        if (outer == 0) return false;
        if (remove_unless_pinched({t})) return true;
        for (const std::uint32_t other : beneath) {
            if (other == none || mesh_.quality(other) >= sliver_sine) continue;
            if (remove_unless_pinched({t, other})) return true;
        }
        return false;
    }

    bool remove_unless_pinched(std::initializer_list<std::uint32_t> tetrahedra) {
        std::vector<std::uint32_t> corners;
        for (const std::uint32_t t : tetrahedra)
            corners.insert(corners.end(), mesh_[t].begin(), mesh_[t].end());
        const auto pinched = [&] {
            return std::count_if(corners.begin(), corners.end(),
                                 [&](std::uint32_t v) { return !mesh_.has_simple_star(v); });
        };
        const auto change = [&](void (EditableTetrahedra::*step)(std::uint32_t)) {
            for (const std::uint32_t t : tetrahedra) (mesh_.*step)(t);
        };
        change(&EditableTetrahedra::remove);
        if (const auto after = pinched(); after > 0) {
            change(&EditableTetrahedra::restore);
            if (after > pinched()) return false;
            change(&EditableTetrahedra::remove);
        }
        for (const std::uint32_t v : corners) outside_[v] = true;
        return true;
    }

    // Flips may make only edges and faces that are new: where the outside touches itself, others could exist.

    // All tetrahedra around an inner edge, replaced by two for each triangle of the best triangulation of
    // their ring: 3-2, 4-4 and larger flips in one.
    bool remove_edge(std::uint32_t a, std::uint32_t b) {
        const EditableTetrahedra::Ring ring = mesh_.around(a, b);
        const std::size_t n = ring.vertices.size();
        if (!ring.closed || n < 3 || n > longest_ring) return false;
        if (n == 3 && mesh_.has_face(ring.vertices[0], ring.vertices[1], ring.vertices[2])) return false;
        double before = 1;
        for (const std::uint32_t t : ring.tetrahedra) before = std::min(before, mesh_.quality(t));

        // best[i][j]: of the polygon i, i + 1, …, j; apex[i][j] forms a triangle with its closing side.
        const auto& r = ring.vertices;
        std::array<std::array<double, longest_ring>, longest_ring> best;
        std::array<std::array<std::size_t, longest_ring>, longest_ring> apex{};
        for (std::size_t i = 0; i + 1 < n; ++i) best[i][i + 1] = 1;
        for (std::size_t span = 2; span < n; ++span) {
            for (std::size_t i = 0; i + span < n; ++i) {
                const std::size_t j = i + span;
                best[i][j] = -1;
                if (span < n - 1 && mesh_.has_edge(r[i], r[j])) continue;
                for (std::size_t k = i + 1; k < j; ++k) {
                    double worst = std::min(best[i][k], best[k][j]);
                    if (worst <= before || worst <= best[i][j]) continue;
                    worst = std::min({worst, mesh_.quality_of({r[i], r[k], r[j], b}),
                                      mesh_.quality_of({r[i], r[j], r[k], a})});
                    if (worst <= best[i][j]) continue;
                    best[i][j] = worst;
                    apex[i][j] = k;
                }
            }
        }
        if (!is_better(best[0][n - 1], before)) return false;
        for (const std::uint32_t t : ring.tetrahedra) mesh_.remove(t);
        std::vector<std::pair<std::size_t, std::size_t>> sides{{0, n - 1}};
        while (!sides.empty()) {
            const auto [i, j] = sides.back();
            sides.pop_back();
            if (j - i < 2) continue;
            const std::size_t k = apex[i][j];
            mesh_.add({r[i], r[k], r[j], b});
            mesh_.add({r[i], r[j], r[k], a});
            sides.push_back({i, k});
            sides.push_back({k, j});
        }
        return true;
    }

    // Two tetrahedra that share a face, replaced by three around the edge between their other corners.
    bool remove_face(std::uint32_t t, std::size_t corner) {
        const std::uint32_t other = mesh_.across(t, corner);
        if (other == none) return false;
        const std::uint32_t top = mesh_[t][corner];
        std::uint32_t bottom = none;
        for (const std::uint32_t v : mesh_[other]) {
            if (!has(mesh_[t], v)) bottom = v;
        }
        if (mesh_.has_edge(top, bottom)) return false;
        const std::uint32_t x = mesh_[t][(corner + 1) % 4];
        const auto [y, z] = other_corners(mesh_[t], top, x);
        // (top, x, y, z) is positive: seen from the bottom, x, y, z go counterclockwise.
        const std::array<Tetrahedron, 3> made{
            {{top, bottom, x, y}, {top, bottom, y, z}, {top, bottom, z, x}}};
        double after = 1;
        for (const Tetrahedron& m : made) after = std::min(after, mesh_.quality_of(m));
        if (!is_better(after, std::min(mesh_.quality(t), mesh_.quality(other)))) return false;
        mesh_.remove(t);
        mesh_.remove(other);
        for (const Tetrahedron& m : made) mesh_.add(m);
        return true;
    }

    // Steps along the axes, shorter and shorter, while the worst tetrahedron at the vertex gets better.
    bool smooth(std::uint32_t v) {
        if (freedom_[v] == Freedom::none || mesh_.at(v).empty()) return false;
        const double before = mesh_.quality_at(v, mesh_.position(v), -1);
        if (before >= bad_sine) return false;
        const bool along_surface = outside_[v] && freedom_[v] == Freedom::surface;
        double best = before;
        Vec3d place = mesh_.position(v);
        for (double step = 0.2 * edge_; step > 0.01 * edge_; step /= 2) {
            const std::array<Vec3d, 6> steps{
                {{step, 0, 0}, {-step, 0, 0}, {0, step, 0}, {0, -step, 0}, {0, 0, step}, {0, 0, -step}}};
            for (const Vec3d& s : steps) {
                const Vec3d there =
                    round_to_float(along_surface ? solid_.tree().closest(place + s) : place + s);
                if (length(there - place) > 1.5 * step) continue;  // another sheet of the surface
                const double quality = mesh_.quality_at(v, there, best);
                if (quality <= best) continue;
                best = quality;
                place = there;
            }
        }
        if (!is_better(best, before)) return false;
        mesh_.move(v, place);
        return true;
    }

    static bool is_better(double after, double before) { return after > before + 0.005; }

    EditableTetrahedra& mesh_;
    const std::vector<Freedom>& freedom_;
    const Solid& solid_;
    double edge_;
    std::vector<bool> outside_;  // vertices on the outside of the mesh
};

}  // namespace

// sin θ at an edge e between faces with normals m and n (of twice their areas): 6V |e| / (|m| |n|).
double smallest_sine(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
    const Vec3d ab = b - a, ac = c - a, ad = d - a, bc = c - b, bd = d - b, cd = d - c;
    const Vec3d nabc = cross(ab, ac), nabd = cross(ab, ad), nacd = cross(ac, ad), nbcd = cross(bc, bd);
    const double abc = dot(nabc, nabc), abd = dot(nabd, nabd), acd = dot(nacd, nacd), bcd = dot(nbcd, nbcd);
    if (min(min(abc, abd), min(acd, bcd)) == 0) return -1;
    const double squares = min(min(min(dot(ab, ab) / (abc * abd), dot(ac, ac) / (abc * acd)),
                                   min(dot(ad, ad) / (abd * acd), dot(bc, bc) / (abc * bcd))),
                               min(dot(bd, bd) / (abd * bcd), dot(cd, cd) / (acd * bcd)));
    return dot(nabc, ad) * sqrt(squares);
}

void improve(FillResult& filled, const std::vector<Freedom>& freedom, const Solid& solid, double edge,
             Progress& progress) {
    EditableTetrahedra mesh(std::move(filled.positions), filled.tetrahedra);
    Improver(mesh, freedom, solid, edge).run(progress);
    filled.positions = mesh.positions();
    filled.tetrahedra = mesh.remaining();
}

}  // namespace pliant::mesh
