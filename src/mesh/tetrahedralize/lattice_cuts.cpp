#include "mesh/tetrahedralize/lattice_cuts.h"

#include <algorithm>
#include <utility>

#include "base/convert.h"

namespace pliant::mesh {
namespace {

// Cuts are this exact, in shares of their edge.
constexpr double tolerance = 1.0 / 2048;

// Distances to the surface at lattice points, found when first asked for.
class Distances {
public:
    Distances(const Lattice& lattice, const TriangleTree& tree, std::size_t points)
        : lattice_(lattice), tree_(tree), known_(points, -1) {}

    double at(LatticePoint point) {
        float& known = known_[point];
        if (known < 0)
            known = static_cast<float>(sqrt(tree_.nearest(lattice_.position(point)).squared_distance));
        return known;
    }

private:
    const Lattice& lattice_;
    const TriangleTree& tree_;
    std::vector<float> known_;
};

// Where the segment from an inner to an outer point leaves the solid, as a share of its length. The first
// guess takes the signed distance as linear, which it is where the surface is planar; a guess holds if the
// points before and behind it, the tolerance away, differ. The second guess goes on from the first by the
// distance there. Then halves.
double leave(const Solid& solid, const Vec3d& inner, const Vec3d& outer, double inner_distance,
             double outer_distance) {
    const auto at = [&](double t) { return inner + (outer - inner) * t; };
    double low = 0, high = 1;
    const auto test = [&](double t) {
        if (t > low && t < high) (solid.inside(at(t)) ? low : high) = t;
    };
    const double slope = inner_distance + outer_distance;
    double guess = slope > 0 ? inner_distance / slope : 0.5;
    for (int guesses = 0; guesses < 2; ++guesses) {
        test(guess - tolerance);
        test(guess + tolerance);
        if (high - low <= 2.0001 * tolerance) return min(max(guess, low), high);
        if (guesses > 0 || slope == 0) break;
        const double reach = sqrt(solid.tree().nearest(at(guess)).squared_distance) / slope;
        guess += low > guess ? reach : -reach;
    }
    while (high - low > 2 * tolerance) test((low + high) / 2);
    return (low + high) / 2;
}

}  // namespace

LatticeEdges::LatticeEdges(const Lattice& lattice) : strides_(lattice.strides()) {
    for (std::uint32_t c = 0; c < 8; ++c) {
        corners_[c] = (c & 1) * strides_[0] + (c >> 1 & 1) * strides_[1] + (c >> 2) * strides_[2];
    }
}

std::array<std::uint32_t, LatticeEdges::per_site> LatticeEdges::around(LatticePoint point) const {
    const std::uint32_t site = point / 2, red = point % 2;
    std::array<std::uint32_t, per_site> edges;
    for (std::uint32_t d = 0; d < 3; ++d) {
        edges[2 * d] = site * per_site + 3 * red + d;
        edges[2 * d + 1] = (site - strides_[d]) * per_site + 3 * red + d;
    }
    for (std::uint32_t c = 0; c < 8; ++c) {
        edges[long_edges + c] = (red != 0 ? site : site - corners_[c]) * per_site + 6 + c;
    }
    return edges;
}

std::array<LatticePoint, 2> LatticeEdges::ends(std::uint32_t edge) const {
    const std::uint32_t site = edge / per_site, local = edge % per_site;
    if (local < 3) return {2 * site, 2 * (site + strides_[local])};
    if (local < 6) return {2 * site + 1, 2 * (site + strides_[local - 3]) + 1};
    return {2 * site + 1, 2 * (site + corners_[local - 6])};
}

std::uint32_t LatticeEdges::between(LatticePoint a, LatticePoint b) const {
    if (is_long(a, b)) {
        const std::uint32_t from = std::min(a, b) / 2, step = std::max(a, b) / 2 - from;
        const std::uint32_t d = step == strides_[0] ? 0 : step == strides_[1] ? 1 : 2;
        return from * per_site + 3 * (a % 2) + d;
    }
    const std::uint32_t from = (a % 2 != 0 ? a : b) / 2, step = (a % 2 != 0 ? b : a) / 2 - from;
    const auto corner = std::find(corners_.begin(), corners_.end(), step);
    return from * per_site + 6 + static_cast<std::uint32_t>(corner - corners_.begin());
}

std::vector<Cut> find_cuts(const Lattice& lattice, const LatticeEdges& edges, const Solid& solid,
                           std::span<const std::uint8_t> inside, Progress& progress) {
    Distances distances(lattice, solid.tree(), inside.size());
    std::vector<Cut> cuts;
    for (std::uint32_t site = 0; site < lattice.size(); ++site) {
        if (site % 4096 == 0 && !progress.at(static_cast<double>(site) / lattice.size())) return cuts;
        // The last layers own no edges: their points are outside, and so are those beyond.
        const auto place = lattice.coordinates(site);
        if (place[0] + 1 == lattice.sites[0] || place[1] + 1 == lattice.sites[1] ||
            place[2] + 1 == lattice.sites[2]) {
            continue;
        }
        for (std::uint32_t local = 0; local < LatticeEdges::per_site; ++local) {
            const std::uint32_t edge = site * LatticeEdges::per_site + local;
            auto [inner, outer] = edges.ends(edge);
            if (inside[inner] == inside[outer]) continue;
            if (inside[outer] != 0) std::swap(inner, outer);
            const Vec3d from = lattice.position(inner), to = lattice.position(outer);
            const double share = leave(solid, from, to, distances.at(inner), distances.at(outer));
            cuts.push_back({edge, share, from + (to - from) * share});
        }
    }
    return cuts;
}

void keep_inside(const Lattice& lattice, const LatticeEdges& edges, std::span<const std::uint8_t> kept,
                 std::vector<std::uint8_t>& inside, std::vector<Cut>& cuts) {
    const auto safe_share = [&](LatticePoint inner, LatticePoint outer) {
        return 1.001 * (LatticeEdges::is_long(inner, outer) ? long_share : short_share);
    };
    const auto safe_cut = [&](std::uint32_t edge, LatticePoint inner, LatticePoint outer) {
        const Vec3d from = lattice.position(inner), to = lattice.position(outer);
        const double share = safe_share(inner, outer);
        return Cut{edge, share, from + (to - from) * share};
    };
    std::vector<Cut> all;
    for (const Cut& cut : cuts) {
        auto [inner, outer] = edges.ends(cut.edge);
        if (inside[outer] != 0) std::swap(inner, outer);
        if (kept[outer] != 0) continue;
        const bool safe = kept[inner] == 0 || cut.share >= safe_share(inner, outer);
        all.push_back(safe ? cut : safe_cut(cut.edge, inner, outer));
    }
    for (LatticePoint point = 0; point < kept.size(); ++point) {
        if (kept[point] == 0 || inside[point] != 0) continue;
        for (const std::uint32_t edge : edges.around(point)) {
            const auto [a, b] = edges.ends(edge);
            const LatticePoint other = a == point ? b : a;
            if (inside[other] == 0 && kept[other] == 0) all.push_back(safe_cut(edge, point, other));
        }
    }
    std::sort(all.begin(), all.end(), [](const Cut& a, const Cut& b) { return a.edge < b.edge; });
    cuts = std::move(all);
    for (LatticePoint point = 0; point < kept.size(); ++point) inside[point] |= kept[point];
}

}  // namespace pliant::mesh
