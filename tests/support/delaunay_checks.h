// Whether tetrahedra are the Delaunay tetrahedra of points, found out with whole numbers only.
#pragma once

#include "support/wide_integer.h"

#include <pliant/mesh.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace pliant::test {

// Names what is wrong, or nothing. Coordinates span few enough bits for five of them, multiplied, to fit.
template <std::size_t Words>
class DelaunayChecks {
public:
    DelaunayChecks(std::span<const Vec3d> points, std::span<const Tetrahedron> tetrahedra)
        : points_(points), tetrahedra_(tetrahedra), whole_(whole_points<Words>(points)) {}

    // All that follows from cells and faces; the time is linear in their number but for sorting.
    std::string failure() {
        for (const auto check : {&DelaunayChecks::check_orientation, &DelaunayChecks::check_vertices,
                                 &DelaunayChecks::check_faces, &DelaunayChecks::check_hull,
                                 &DelaunayChecks::check_euler, &DelaunayChecks::check_volume}) {
            if (std::string found = (this->*check)(); !found.empty()) return found;
        }
        return {};
    }

    // Every point against every sphere and every face of the hull.
    std::string failure_by_force() const {
        for (const Tetrahedron& t : tetrahedra_) {
            for (const auto& p : whole_) {
                if (insphere(t, p) > 0) return "a point inside of a sphere";
            }
        }
        for (const Triangle& t : surface_triangles(tetrahedra_)) {
            for (const auto& p : whole_) {
                if (volume(t, p).sign() > 0) return "a point beyond the hull";
            }
        }
        return {};
    }

private:
    using Wide = WideInteger<Words>;

    // Outside of a face that is turned outward: positive.
    Wide volume(const Triangle& t, const WidePoint<Words>& p) const {
        return exact_volume(whole_[t[0]], whole_[t[1]], whole_[t[2]], p);
    }
    int insphere(const Tetrahedron& t, const WidePoint<Words>& p) const {
        return exact_insphere(whole_[t[0]], whole_[t[1]], whole_[t[2]], whole_[t[3]], p).sign();
    }

    std::string check_orientation() {
        for (const auto& [a, b, c, d] : tetrahedra_) {
            const Wide volume = exact_volume(whole_[a], whole_[b], whole_[c], whole_[d]);
            if (volume.sign() <= 0) return "a tetrahedron that is not positive";
            six_volumes_ = six_volumes_ + volume;
        }
        return {};
    }

    // The first of coinciding points, and nothing else, is a vertex.
    std::string check_vertices() {
        std::map<std::tuple<double, double, double>, std::uint32_t> first;
        for (std::uint32_t i = 0; i < points_.size(); ++i) {
            first.try_emplace({points_[i].x, points_[i].y, points_[i].z}, i);
        }
        std::vector<std::uint32_t> expected, used;
        for (const auto& [position, index] : first) expected.push_back(index);
        for (const Tetrahedron& t : tetrahedra_) used.insert(used.end(), t.begin(), t.end());
        std::sort(expected.begin(), expected.end());
        std::sort(used.begin(), used.end());
        used.erase(std::unique(used.begin(), used.end()), used.end());
        vertices_ = used.size();
        return used == expected ? "" : "not the right points are vertices";
    }

    // At most two tetrahedra meet at a face, on different sides of it, and neither's sphere holds the
    // other's far vertex: then no sphere holds any point (Delaunay 1934).
    std::string check_faces() {
        constexpr std::uint8_t outward[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
        std::vector<std::tuple<Triangle, Triangle, std::uint32_t>>
            uses;  // ascending, outward, 4 · cell + face
        for (std::uint32_t i = 0; i < tetrahedra_.size(); ++i) {
            for (std::uint32_t f = 0; f < 4; ++f) {
                const Tetrahedron& t = tetrahedra_[i];
                const Triangle face{t[outward[f][0]], t[outward[f][1]], t[outward[f][2]]};
                Triangle key = face;
                std::sort(key.begin(), key.end());
                uses.emplace_back(key, face, 4 * i + f);
            }
        }
        std::sort(uses.begin(), uses.end());
        for (std::size_t i = 0; i < uses.size(); ++faces_) {
            const auto& [key, face, one] = uses[i++];
            if (i == uses.size() || std::get<0>(uses[i]) != key) {
                hull_.push_back(face);
                continue;
            }
            const auto& [other_key, other_face, other] = uses[i++];
            if (i < uses.size() && std::get<0>(uses[i]) == key) return "three tetrahedra at a face";
            if (turns(face, other_face)) return "two tetrahedra on the same side of a face";
            const auto far = whole_[tetrahedra_[other / 4][other % 4]];
            if (insphere(tetrahedra_[one / 4], far) > 0) return "a neighbour inside of a sphere";
        }
        return {};
    }

    static bool turns(const Triangle& a, Triangle b) {
        for (int i = 0; i < 3; ++i) {
            if (a == b) return true;
            std::rotate(b.begin(), b.begin() + 1, b.end());
        }
        return false;
    }

    // The surface is closed, has no handles and is nowhere bent inward, hence convex.
    std::string check_hull() {
        std::map<Edge, std::vector<std::size_t>> faces_at;
        std::vector<std::uint32_t> corners;
        for (std::size_t i = 0; i < hull_.size(); ++i) {
            const Triangle& t = hull_[i];
            for (std::size_t k = 0; k < 3; ++k) {
                faces_at[{std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])}].push_back(i);
                corners.push_back(t[k]);
            }
        }
        std::sort(corners.begin(), corners.end());
        corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
        if (corners.size() + hull_.size() != faces_at.size() + 2) return "the surface is not a sphere";
        for (const auto& [edge, at] : faces_at) {
            if (at.size() != 2) return "an edge of the hull without two faces";
            for (const std::uint32_t vertex : hull_[at[1]]) {
                if (volume(hull_[at[0]], whole_[vertex]).sign() > 0) return "the hull is not convex";
            }
        }
        return {};
    }

    // V − E + F − T = 1 for a ball.
    std::string check_euler() {
        const std::size_t edges = unique_edges(tetrahedra_).size();
        return vertices_ + faces_ == edges + tetrahedra_.size() + 1 ? "" : "Euler's formula does not hold";
    }

    // The volume within the surface, by the divergence theorem, is that of the tetrahedra.
    std::string check_volume() {
        Wide sum;
        for (const Triangle& t : hull_) sum = sum - volume(t, whole_[hull_[0][0]]);
        return sum == six_volumes_ ? "" : "the tetrahedra do not fill the hull";
    }

    std::span<const Vec3d> points_;
    std::span<const Tetrahedron> tetrahedra_;
    std::vector<WidePoint<Words>> whole_;
    std::vector<Triangle> hull_;
    std::size_t vertices_ = 0, faces_ = 0;
    Wide six_volumes_;
};

}  // namespace pliant::test
