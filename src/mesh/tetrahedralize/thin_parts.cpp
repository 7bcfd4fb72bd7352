#include "mesh/tetrahedralize/thin_parts.h"

#include <cstdint>
#include <vector>

#include "base/convert.h"
#include "mesh/geometry/triangle_subdivision.h"
#include "mesh/tetrahedralize/components.h"

namespace pliant::mesh {
namespace {

// In edge lengths: how far around a place where components should be joined, and how far into the solid.
constexpr double neck_reach = 0.75, neck_inward = 0.5;

class Finder {
public:
    Finder(const TriangleMesh& surface, const Solid& solid, double edge, double inward)
        : surface_(surface), solid_(solid), edge_(edge), inward_(inward) {}

    // Subtriangles with a corner that is wanted.
    template <class Wanted>
    TriangleMesh find(const Wanted& wanted) const {
        return find_by_corners(wanted, [](bool a, bool b, bool c) { return a || b || c; });
    }

    // Subtriangles that are chosen by a value at each corner.
    template <class ValueAt, class Choose>
    TriangleMesh find_by_corners(const ValueAt& value_at, const Choose& choose) const {
        using Value = decltype(value_at(Vec3d{}));
        std::vector<Value> values;
        values.reserve(surface_.positions.size());
        for (const Vec3& p : surface_.positions) values.push_back(value_at(to_double(p)));
        TriangleMesh found;
        for (const Triangle& t : surface_.triangles) {
            const Corners corners{to_double(surface_.positions[t[0]]), to_double(surface_.positions[t[1]]),
                                  to_double(surface_.positions[t[2]])};
            const auto is_small = [&](const Corners&, double longest) { return longest <= edge_ * edge_; };
            for_each_subtriangle(corners, is_small, [&](const Corners& part) {
                const bool chosen = part == corners
                                        ? choose(values[t[0]], values[t[1]], values[t[2]])
                                        : choose(value_at(part[0]), value_at(part[1]), value_at(part[2]));
                if (chosen) add(found, part);
            });
        }
        return found;
    }

private:
    // A subtriangle that bounds the solid, moved into it: up to the middle between this side and another.
    // Where a closed surface is folded flat, it bounds what has no thickness left.
    void add(TriangleMesh& found, const Corners& t) const {
        const Vec3d normal = cross(t[1] - t[0], t[2] - t[0]);
        const double size = length(normal);
        if (!(size > 0)) return;
        const Vec3d centroid = (t[0] + t[1] + t[2]) * (1.0 / 3), out = normal * (1 / size);
        const Vec3d hair = out * (1e-5 * edge_);
        const bool before = clearly_inside(centroid + hair), behind = clearly_inside(centroid - hair);
        if (before == behind && (before || !solid_.closed())) return;
        const Vec3d inward = out * ((behind ? -1 : before ? 1 : 0) * inward_ * edge_);
        constexpr int steps = 8;
        int step = steps;
        for (; step > 0; --step) {
            const Vec3d way = inward * (static_cast<double>(step) / steps);
            if (!solid_.tree().any_within(centroid + way, 0.8 * dot(way, way))) break;
        }
        const auto first = static_cast<std::uint32_t>(found.positions.size());
        for (const Vec3d& p : t) {
            found.positions.push_back(to_float(p + inward * (static_cast<double>(step) / steps)));
        }
        found.triangles.push_back({first, first + 1, first + 2});
    }

    // Beside a loose triangle of an open surface the winding number is a half.
    bool clearly_inside(const Vec3d& p) const {
        return abs(solid_.winding().at(p)) > (solid_.closed() ? 0.5 : 0.6);
    }

    const TriangleMesh& surface_;
    const Solid& solid_;
    double edge_, inward_;
};

}  // namespace

Coverage::Coverage(const FillResult& filled, const Lattice& lattice) : filled_(filled), vertices_(lattice) {
    for (const Vec3d& p : filled.positions) vertices_.add(p);
}

bool Coverage::reaches(const Vec3d& point, double distance) const {
    return vertices_.any_within(point, distance) || outside().any_within(point, distance * distance);
}

std::uint32_t Coverage::nearest_vertex(const Vec3d& point) const {
    const std::uint32_t face = outside().nearest(point).triangle;
    return outside_faces_[face][0];
}

const TriangleTree& Coverage::outside() const {
    if (!outside_) {
        outside_faces_ = surface_triangles(filled_.tetrahedra);
        std::vector<Vec3> positions;
        positions.reserve(filled_.positions.size());
        for (const Vec3d& p : filled_.positions) positions.push_back(to_float(p));
        outside_.emplace(positions, outside_faces_);
    }
    return *outside_;
}

TriangleMesh find_thin_parts(const TriangleMesh& surface, const Solid& solid, const Lattice& lattice,
                             const Coverage& coverage, const ThinSearch& search) {
    const double edge = lattice.spacing;
    const TriangleMesh missing = Finder(surface, solid, edge, 0).find([&](const Vec3d& p) {
        return !coverage.reaches(p, search.missing * edge);
    });
    if (missing.triangles.empty()) return {};
    const TriangleTree tree(missing.positions, missing.triangles);
    const double around = search.around * edge;
    return Finder(surface, solid, edge, search.inward).find([&](const Vec3d& p) {
        return tree.any_within(p, around * around) && !coverage.reaches(p, search.loose * edge);
    });
}

// A surface that hangs together passes from one component to the next where neighbouring places are nearest
// to different ones.
TriangleMesh find_necks(const TriangleMesh& surface, const Solid& solid, const Lattice& lattice,
                        const FillResult& filled, const Coverage& coverage) {
    const TetrahedronComponents components = find_components(filled.tetrahedra);
    std::vector<std::uint32_t> component_of_vertex(filled.positions.size());
    for (std::size_t t = 0; t < filled.tetrahedra.size(); ++t) {
        for (const std::uint32_t v : filled.tetrahedra[t])
            component_of_vertex[v] = components.of_tetrahedron[t];
    }
    const double edge = lattice.spacing;
    const Finder finder(surface, solid, edge, neck_inward);
    const TriangleMesh passages = finder.find_by_corners(
        [&](const Vec3d& p) { return component_of_vertex[coverage.nearest_vertex(p)]; },
        [](std::uint32_t a, std::uint32_t b, std::uint32_t c) { return a != b || b != c; });
    const TriangleTree tree(passages.positions, passages.triangles);
    return finder.find(
        [&](const Vec3d& p) { return tree.any_within(p, neck_reach * neck_reach * edge * edge); });
}

}  // namespace pliant::mesh
