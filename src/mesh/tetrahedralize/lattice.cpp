#include "mesh/tetrahedralize/lattice.h"

#include <pliant/bounds.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "base/convert.h"
#include "mesh/geometry/closest_point.h"
#include "mesh/geometry/triangle_subdivision.h"

namespace pliant::mesh {
namespace {

constexpr std::uint32_t layers = 3;  // around the box

double sites_along(double size, double spacing) { return std::round(size / spacing) + 2 * layers; }

double origin_along(double low, double high, double spacing) {
    return (low + high) / 2 - spacing * (std::round((high - low) / spacing) / 2 + layers);
}

bool decide(const Solid& solid, const Vec3d& point, bool& simple) {
    const double winding = solid.winding().at(point) * (solid.signed_volume() < 0 ? -1 : 1);
    if (winding < -0.5 || winding > 1.5) simple = false;
    return Solid::is_inside(winding);
}

// Where the winding number can change only at the surface, one evaluation decides a whole block of sites
// that the surface does not reach.
class InsideFinder {
public:
    InsideFinder(const Lattice& lattice, const Solid& solid, Progress& progress)
        : lattice_(lattice), solid_(solid), progress_(progress) {
        occupancy_.inside.resize(2 * static_cast<std::size_t>(lattice.size()), 0);
    }

    Occupancy run() {
        const auto& n = lattice_.sites;
        constexpr std::uint32_t end = layers - 1;
        fill({layers, layers, layers}, {n[0] - end, n[1] - end, n[2] - end});
        return std::move(occupancy_);
    }

private:
    void fill(const std::array<std::uint32_t, 3>& low, const std::array<std::uint32_t, 3>& high) {
        if (progress_.stopped()) return;
        if (solid_.closed() && is_clear(low, high)) {
            set(low, high, decide(middle(low, high)));
            return done(low, high);
        }
        // Cut across the longest side.
        std::size_t axis = 0;
        for (std::size_t d = 1; d < 3; ++d) {
            if (high[d] - low[d] > high[axis] - low[axis]) axis = d;
        }
        if (high[axis] - low[axis] == 1) {
            const LatticePoint black = 2 * lattice_.site(low[0], low[1], low[2]);
            for (const LatticePoint point : {black, black + 1}) {
                occupancy_.inside[point] = decide(lattice_.position(point));
            }
            return done(low, high);
        }
        auto split = low;
        auto end = high;
        split[axis] = end[axis] = low[axis] + (high[axis] - low[axis]) / 2;
        fill(low, end);
        fill(split, high);
    }
    bool decide(const Vec3d& point) { return pliant::mesh::decide(solid_, point, occupancy_.simple); }
    Vec3d corner(const std::array<std::uint32_t, 3>& at, double offset) const {
        const Vec3d sites{at[0] + offset, at[1] + offset, at[2] + offset};
        return lattice_.origin + sites * lattice_.spacing;
    }
    // Of the box around the points, which ends at the last red ones.
    Vec3d middle(const std::array<std::uint32_t, 3>& low, const std::array<std::uint32_t, 3>& high) const {
        return (corner(low, 0) + corner(high, -0.5)) * 0.5;
    }
    bool is_clear(const std::array<std::uint32_t, 3>& low, const std::array<std::uint32_t, 3>& high) const {
        const Vec3d half = (corner(high, -0.5) - corner(low, 0)) * 0.5;
        const double reach = length(half) * 1.0001;
        return !solid_.tree().any_within(middle(low, high), reach * reach);
    }
    void set(const std::array<std::uint32_t, 3>& low, const std::array<std::uint32_t, 3>& high, bool value) {
        if (!value) return;  // as they are from the start
        for (std::uint32_t k = low[2]; k < high[2]; ++k) {
            for (std::uint32_t j = low[1]; j < high[1]; ++j) {
                const auto row =
                    occupancy_.inside.begin() + 2 * static_cast<std::ptrdiff_t>(lattice_.site(0, j, k));
                std::fill(row + 2 * low[0], row + 2 * high[0], std::uint8_t{1});
            }
        }
    }
    void done(const std::array<std::uint32_t, 3>& low, const std::array<std::uint32_t, 3>& high) {
        done_ += (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]);
        if (++steps_ % 4096 == 0) progress_.at(static_cast<double>(done_) / lattice_.size());
    }

    const Lattice& lattice_;
    const Solid& solid_;
    Progress& progress_;
    Occupancy occupancy_;
    std::uint32_t done_ = 0, steps_ = 0;
};

bool in_box(const Lattice& lattice, LatticePoint point) {
    const auto at = lattice.coordinates(point / 2);
    return at[0] >= layers && at[1] >= layers && at[2] >= layers;
}

// From triangles, up to `most`. Subtriangles no larger than a cell keep the boxes around them small.
std::vector<double> find_distances(const Lattice& lattice, const TriangleMesh& triangles, double most) {
    std::vector<double> squares(2 * static_cast<std::size_t>(lattice.size()), most * most);
    const double unit = lattice.spacing * lattice.spacing, scale = 1 / lattice.spacing;
    const auto is_small = [&](const Corners&, double longest) { return longest <= unit; };
    const auto spread = [&](const Corners& t) {
        Bounds3d box;
        for (const Vec3d& p : t) box.add(p);
        const Vec3d reach{most, most, most};
        for (const std::uint32_t colour : {0u, 1u}) {
            const Vec3d origin = lattice.origin + Vec3d{0.5, 0.5, 0.5} * (colour * lattice.spacing);
            // Rounded up: one less, the part behind the point cut off, and one more.
            const Vec3d low = (box.low - reach - origin) * scale + Vec3d{1, 1, 1},
                        high = (box.high + reach - origin) * scale;
            for (auto k = static_cast<std::uint32_t>(low.z); k <= high.z; ++k) {
                for (auto j = static_cast<std::uint32_t>(low.y); j <= high.y; ++j) {
                    for (auto i = static_cast<std::uint32_t>(low.x); i <= high.x; ++i) {
                        double& square = squares[2 * lattice.site(i, j, k) + colour];
                        const Vec3d p = origin + Vec3d{1.0 * i, 1.0 * j, 1.0 * k} * lattice.spacing;
                        if (box.squared_distance(p) >= square) continue;
                        const Vec3d d = p - closest_on_triangle(t[0], t[1], t[2], p);
                        square = min(square, dot(d, d));
                    }
                }
            }
        }
    };
    for (const Triangle& t : triangles.triangles) {
        const auto& p = triangles.positions;
        for_each_subtriangle({to_double(p[t[0]]), to_double(p[t[1]]), to_double(p[t[2]])}, is_small, spread);
    }
    for (double& square : squares) square = sqrt(square);
    return squares;
}

}  // namespace

Lattice::Lattice(const Vec3d& low, const Vec3d& high, double wished_spacing)
    : origin{origin_along(low.x, high.x, wished_spacing), origin_along(low.y, high.y, wished_spacing),
             origin_along(low.z, high.z, wished_spacing)},
      spacing(wished_spacing),
      sites{static_cast<std::uint32_t>(sites_along(high.x - low.x, spacing)),
            static_cast<std::uint32_t>(sites_along(high.y - low.y, spacing)),
            static_cast<std::uint32_t>(sites_along(high.z - low.z, spacing))} {}

double Lattice::count(const Vec3d& low, const Vec3d& high, double spacing) {
    return sites_along(high.x - low.x, spacing) * sites_along(high.y - low.y, spacing) *
           sites_along(high.z - low.z, spacing);
}

Vec3d Lattice::position(LatticePoint point) const {
    const auto at = coordinates(point / 2);
    const double half = point % 2 == 0 ? 0 : 0.5;
    return origin + Vec3d{at[0] + half, at[1] + half, at[2] + half} * spacing;
}

LatticePoint Lattice::nearest(const Vec3d& p) const {
    const Vec3d q = (p - origin) * (1 / spacing);
    const auto site_at = [&](double offset) {
        return site(static_cast<std::uint32_t>(q.x + offset), static_cast<std::uint32_t>(q.y + offset),
                    static_cast<std::uint32_t>(q.z + offset));
    };
    const LatticePoint black = 2 * site_at(0.5), red = 2 * site_at(0) + 1;
    const Vec3d to_black = position(black) - p, to_red = position(red) - p;
    return dot(to_black, to_black) <= dot(to_red, to_red) ? black : red;
}

// Voronoi cells with a common face belong to points with a common edge, which is at most the spacing long;
// other points are √2 spacings apart.
std::vector<std::uint8_t> find_along(const Lattice& lattice, const TriangleMesh& triangles) {
    std::vector<std::uint8_t> along(2 * static_cast<std::size_t>(lattice.size()), 0);
    const double unit = lattice.spacing * lattice.spacing;
    const auto is_small = [&](const Corners& t, double longest) {
        std::array<Vec3d, 3> near;
        for (std::size_t i = 0; i < 3; ++i) near[i] = lattice.position(lattice.nearest(t[i]));
        const auto apart = [&](std::size_t i, std::size_t j) {
            return dot(near[i] - near[j], near[i] - near[j]) > 1.5 * unit;
        };
        return longest < unit / 4096 || (longest < unit && !apart(0, 1) && !apart(1, 2) && !apart(2, 0));
    };
    for (const Triangle& t : triangles.triangles) {
        const auto& p = triangles.positions;
        for_each_subtriangle({to_double(p[t[0]]), to_double(p[t[1]]), to_double(p[t[2]])}, is_small,
                             [&](const Corners& part) {
                                 for (const Vec3d& corner : part) along[lattice.nearest(corner)] = 1;
                             });
    }
    return along;
}

Occupancy find_inside(const Lattice& lattice, const Solid& solid, Progress& progress) {
    return InsideFinder(lattice, solid, progress).run();
}

Clearances find_clearances(const Lattice& lattice, const TriangleMesh& surface, const Solid& solid,
                           double least, double most, Progress& progress) {
    Clearances found;
    found.distance = find_distances(lattice, surface, most);
    Occupancy& occupancy = found.occupancy;
    occupancy.inside.resize(found.distance.size(), 0);
    const auto [x, y, z] = lattice.strides();
    const auto& n = lattice.sites;
    for (std::uint32_t k = layers; k <= n[2] - layers; ++k) {
        if (!progress.at(static_cast<double>(k) / n[2])) break;
        for (std::uint32_t j = layers; j <= n[1] - layers; ++j) {
            for (std::uint32_t i = layers; i <= n[0] - layers; ++i) {
                const std::uint32_t site = lattice.site(i, j, k);
                const LatticePoint black = 2 * site, red = black + 1;
                const auto fill = [&](LatticePoint point, std::initializer_list<LatticePoint> neighbours) {
                    if (found.distance[point] < least) return;
                    for (const LatticePoint other : neighbours) {
                        if (!solid.closed() || found.distance[other] < least || !in_box(lattice, other))
                            continue;
                        occupancy.inside[point] = occupancy.inside[other];
                        return;
                    }
                    occupancy.inside[point] = decide(solid, lattice.position(point), occupancy.simple);
                };
                // Some of the neighbours that come before.
                fill(black, {black - 2 * x, black - 2 * y, black - 2 * z, red - 2 * x, red - 2 * y,
                             red - 2 * z, red - 2 * (x + y + z)});
                fill(red, {black, red - 2 * x, red - 2 * y, red - 2 * z});
            }
        }
    }
    return found;
}

}  // namespace pliant::mesh
