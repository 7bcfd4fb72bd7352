#include "mesh/thin_parts.h"

#include <array>
#include <cstdint>
#include <vector>

#include "base/convert.h"

namespace pliant::mesh {
namespace {

using Corners = std::array<Vec3d, 3>;

// Halves a triangle across its longest side until none is longer than `longest`.
template <class Visit>
void for_each_piece(const Corners& t, double longest, Visit&& visit) {
    std::size_t side = 0;
    std::array<double, 3> squares;
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3d d = t[(i + 1) % 3] - t[i];
        squares[i] = dot(d, d);
        if (squares[i] > squares[side]) side = i;
    }
    if (squares[side] <= longest * longest) return visit(t);
    const Vec3d &a = t[side], &b = t[(side + 1) % 3], &c = t[(side + 2) % 3];
    const Vec3d middle = (a + b) * 0.5;
    for_each_piece({a, middle, c}, longest, visit);
    for_each_piece({middle, b, c}, longest, visit);
}

class Finder {
public:
    Finder(const TriangleMesh& surface, const Solid& solid, double edge)
        : surface_(surface), solid_(solid), edge_(edge) {}

    // Pieces with a corner that is wanted.
    template <class Wanted>
    TriangleMesh find(Wanted&& wanted) const {
        std::vector<bool> vertex_wanted(surface_.positions.size());
        for (std::size_t v = 0; v < vertex_wanted.size(); ++v) {
            vertex_wanted[v] = wanted(to_double(surface_.positions[v]));
        }
        TriangleMesh found;
        for (const Triangle& t : surface_.triangles) {
            const Corners corners{to_double(surface_.positions[t[0]]), to_double(surface_.positions[t[1]]),
                                  to_double(surface_.positions[t[2]])};
            for_each_piece(corners, edge_, [&](const Corners& piece) {
                const bool some = piece == corners
                                      ? vertex_wanted[t[0]] || vertex_wanted[t[1]] || vertex_wanted[t[2]]
                                      : wanted(piece[0]) || wanted(piece[1]) || wanted(piece[2]);
                if (some && bounds_solid(piece)) add(found, piece);
            });
        }
        return found;
    }

private:
    bool bounds_solid(const Corners& t) const {
        const Vec3d normal = cross(t[1] - t[0], t[2] - t[0]);
        const double size = length(normal);
        if (!(size > 0)) return false;
        const Vec3d centroid = (t[0] + t[1] + t[2]) * (1.0 / 3), offset = normal * (1e-5 * edge_ / size);
        return solid_.inside(centroid + offset) != solid_.inside(centroid - offset);
    }
    static void add(TriangleMesh& found, const Corners& piece) {
        const auto first = static_cast<std::uint32_t>(found.positions.size());
        for (const Vec3d& p : piece) found.positions.push_back(to_float(p));
        found.triangles.push_back({first, first + 1, first + 2});
    }

    const TriangleMesh& surface_;
    const Solid& solid_;
    double edge_;
};

}  // namespace

Coverage::Coverage(const Filling& filling, const Lattice& lattice) : filling_(filling), vertices_(lattice) {
    for (const Vec3d& p : filling.positions) vertices_.add(p);
}

bool Coverage::reaches(const Vec3d& point, double distance) const {
    return vertices_.any_within(point, distance) || outside().any_within(point, distance * distance);
}

double Coverage::distance(const Vec3d& point) const {
    return sqrt(outside().nearest(point).squared_distance);
}

const TriangleTree& Coverage::outside() const {
    if (!outside_) {
        std::vector<Vec3> positions;
        positions.reserve(filling_.positions.size());
        for (const Vec3d& p : filling_.positions) positions.push_back(to_float(p));
        outside_.emplace(positions, surface_triangles(filling_.tetrahedra));
    }
    return *outside_;
}

TriangleMesh find_thin_parts(const TriangleMesh& surface, const Solid& solid, const Lattice& lattice,
                             const Coverage& coverage, const ThinSearch& search) {
    const double edge = lattice.spacing;
    const Finder finder(surface, solid, edge);
    const TriangleMesh missing =
        finder.find([&](const Vec3d& p) { return !coverage.reaches(p, search.missing * edge); });
    if (missing.triangles.empty()) return {};
    const TriangleTree tree(missing.positions, missing.triangles);
    const double around = search.around * edge;
    return finder.find([&](const Vec3d& p) {
        return tree.any_within(p, around * around) && !coverage.reaches(p, search.loose * edge);
    });
}

}  // namespace pliant::mesh
