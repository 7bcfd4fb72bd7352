#include "mesh/tetrahedralize/surface_samples.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "base/convert.h"
#include "mesh/tetrahedralize/point_grid.h"
#include "mesh/topology/edge_uses.h"
#include "mesh/topology/used_vertices.h"

namespace pliant::mesh {
namespace {

// An edge is a crease where the triangles' normals differ by more than 40°.
constexpr double crease_cosine = 0.766;

struct Crease {
    std::uint32_t a, b;
};

Vec3d unit_normal(const TriangleMesh& surface, const Triangle& t) {
    const Vec3d a = to_double(surface.positions[t[0]]), b = to_double(surface.positions[t[1]]),
                c = to_double(surface.positions[t[2]]);
    const Vec3d n = cross(b - a, c - a);
    const double l = length(n);
    return l > 0 ? n * (1 / l) : Vec3d{};
}

// Edges between two triangles that meet at an angle. Those of one triangle or of many are none: seams of
// vertices with several copies look like borders.
std::vector<Crease> find_creases(const TriangleMesh& surface) {
    std::vector<Crease> creases;
    const std::vector<EdgeUse> sorted = sorted_edge_uses(surface.triangles);
    for_each_edge(sorted, [&](std::span<const EdgeUse> uses) {
        if (uses.size() != 2) return;
        const Vec3d m = unit_normal(surface, surface.triangles[uses[0][2] / 3]),
                    n = unit_normal(surface, surface.triangles[uses[1][2] / 3]);
        if (dot(m, n) < crease_cosine) creases.push_back({uses[0][0], uses[0][1]});
    });
    return creases;
}

// Takes points that are far enough from those it has.
class Sampler {
public:
    Sampler(const Lattice& lattice, double apart) : apart_(apart), taken_(lattice) {}

    void offer(const Vec3d& exact, bool fixed) {
        const Vec3d p = round_to_float(exact);
        if (taken_.any_within(p, apart_)) return;
        taken_.add(p);
        samples_.push_back({p, fixed});
    }
    std::vector<SurfaceSample> take() { return std::move(samples_); }

private:
    double apart_;
    PointGrid taken_;
    std::vector<SurfaceSample> samples_;
};

void offer_vertices(const TriangleMesh& surface, const std::vector<Crease>& creases, Sampler& sampler) {
    // Corners, where creases end or meet; then creases; then what is smooth.
    std::vector<std::uint32_t> ends(surface.positions.size());
    for (const Crease& crease : creases) {
        ++ends[crease.a];
        ++ends[crease.b];
    }
    const std::vector<bool> used = used_vertices(surface.positions.size(), surface.triangles);
    for (int rank = 0; rank < 3; ++rank) {
        for (std::size_t v = 0; v < ends.size(); ++v) {
            const int own = ends[v] == 0 ? 2 : ends[v] == 2 ? 1 : 0;
            if (used[v] && own == rank) sampler.offer(to_double(surface.positions[v]), own < 2);
        }
    }
}

void offer_creases(const TriangleMesh& surface, const std::vector<Crease>& creases, double apart,
                   Sampler& sampler) {
    for (const Crease& crease : creases) {
        const Vec3d a = to_double(surface.positions[crease.a]), b = to_double(surface.positions[crease.b]);
        const int parts = static_cast<int>(length(b - a) / apart / 1.1);
        for (int i = 1; i < parts; ++i) sampler.offer(a + (b - a) * (static_cast<double>(i) / parts), true);
    }
}

// A grid on each triangle that is large, three points to the distance between samples. Small ones are near
// enough to their vertices.
void offer_triangles(const TriangleMesh& surface, double apart, Sampler& sampler) {
    for (const Triangle& t : surface.triangles) {
        const Vec3d a = to_double(surface.positions[t[0]]), b = to_double(surface.positions[t[1]]),
                    c = to_double(surface.positions[t[2]]);
        const double longest = std::max({length(b - a), length(c - b), length(a - c)});
        if (longest < apart) continue;
        const int parts = static_cast<int>(std::ceil(3 * longest / apart));
        for (int i = 0; i <= parts; ++i) {
            for (int j = 0; i + j <= parts; ++j) {
                const double u = static_cast<double>(i) / parts, v = static_cast<double>(j) / parts;
                sampler.offer(a + (b - a) * u + (c - a) * v, false);
            }
        }
    }
}

}  // namespace

std::vector<SurfaceSample> sample_surface(const TriangleMesh& surface, const Lattice& lattice, double apart) {
    const std::vector<Crease> creases = find_creases(surface);
    Sampler sampler(lattice, apart);
    offer_vertices(surface, creases, sampler);
    offer_creases(surface, creases, apart, sampler);
    offer_triangles(surface, apart, sampler);
    return sampler.take();
}

}  // namespace pliant::mesh
