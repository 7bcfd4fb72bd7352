// A patch is what hangs together by edges of two triangles. First each patch is made consistent by itself,
// then closed patches are turned outward, together with those inside of them.
#include "mesh/repair/orient.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/convert.h"
#include "base/geometry/tetrahedron.h"
#include "mesh/geometry/box_tree.h"
#include "mesh/geometry/predicates.h"
#include "mesh/topology/edge_uses.h"

namespace pliant::mesh {
namespace {

struct Patch {
    std::uint32_t first_triangle = 0;
    bool closed = true;
    double volume = 0;
    Bounds3 bounds{};
};

struct Patches {
    std::vector<Patch> patches{};
    std::vector<std::uint32_t> of_triangle{};
    Orientation orientation{};
};

Triangle turned(Triangle t, bool turn) {
    if (turn) std::swap(t[1], t[2]);
    return t;
}

// Floods from triangle to neighbour. Two neighbours agree if they run along their edge in opposite ways.
Patches flood(std::span<const Triangle> triangles) {
    constexpr std::uint32_t nowhere = 0xffffffff;
    const auto neighbours = triangle_neighbours(triangles);
    Patches result;
    result.of_triangle.assign(triangles.size(), nowhere);
    std::vector<bool>& turn = result.orientation.turn;
    turn.resize(triangles.size());
    std::vector<std::uint32_t> members;
    for (std::uint32_t start = 0; start < triangles.size(); ++start) {
        if (result.of_triangle[start] != nowhere) continue;
        const auto patch = static_cast<std::uint32_t>(result.patches.size());
        result.of_triangle[start] = patch;
        members.assign(1, start);
        bool one_sided = false;
        std::size_t turns = 0;
        for (std::size_t i = 0; i < members.size(); ++i) {
            const std::uint32_t t = members[i];
            turns += turn[t];
            for (std::uint32_t k = 0; k < 3; ++k) {
                const std::uint32_t side = neighbours[t][k];
                if (side == no_neighbour || side == several_neighbours) continue;
                const bool same_way = side_start(triangles, side) == triangles[t][k];
                const bool wished = turn[t] != same_way;
                if (result.of_triangle[side / 3] == nowhere) {
                    result.of_triangle[side / 3] = patch;
                    turn[side / 3] = wished;
                    members.push_back(side / 3);
                }
                one_sided = one_sided || turn[side / 3] != wished;
            }
        }
        const bool turn_others = 2 * turns > members.size();
        for (const std::uint32_t t : members) turn[t] = !one_sided && turn[t] != turn_others;
        result.orientation.one_sided_components += one_sided;
        result.patches.push_back({start, !one_sided});
    }
    return result;
}

// A patch is closed if at every edge as many of its triangles run one way as the other.
void find_open_patches(Patches& result, std::span<const Triangle> triangles) {
    const std::vector<EdgeUse> uses = sorted_edge_uses(triangles);
    std::vector<std::pair<std::uint32_t, int>> ways;  // {patch, ±1}
    for_each_edge(uses, [&](std::span<const EdgeUse> edge) {
        ways.clear();
        for (const EdgeUse& use : edge) {
            const std::uint32_t t = use[2] / 3;
            const bool upward = (side_start(triangles, use[2]) == use[0]) != result.orientation.turn[t];
            ways.push_back({result.of_triangle[t], upward ? 1 : -1});
        }
        std::sort(ways.begin(), ways.end());
        for (std::size_t first = 0, last; first < ways.size(); first = last) {
            int sum = 0;
            for (last = first; last < ways.size() && ways[last].first == ways[first].first; ++last) {
                sum += ways[last].second;
            }
            if (sum != 0) result.patches[ways[first].first].closed = false;
        }
    });
}

void measure_patches(Patches& result, std::span<const Vec3> positions, std::span<const Triangle> triangles) {
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        for (const std::uint32_t corner : triangles[t]) {
            result.patches[result.of_triangle[t]].bounds.add(positions[corner]);
        }
    }
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        Patch& patch = result.patches[result.of_triangle[t]];
        const Triangle corners = turned(triangles[t], result.orientation.turn[t]);
        const Vec3d origin = to_double(patch.bounds.low);
        const Vec3d a = to_double(positions[corners[0]]) - origin,
                    b = to_double(positions[corners[1]]) - origin,
                    c = to_double(positions[corners[2]]) - origin;
        patch.volume += triple_product(a, b, c) / 6;
    }
}

// Which way a, b and p turn as seen along x, with p moved by (ε, ε²) in y and z (simulation of simplicity,
// Edelsbrunner and Mücke 1990): 0 only if a and b coincide.
int turn_along_x(const Vec3d& a, const Vec3d& b, const Vec3d& p) {
    const Vec3d projected_a{0, a.y, a.z};
    const int sign = orient3d(projected_a, {0, b.y, b.z}, {0, p.y, p.z}, {1, a.y, a.z});
    if (sign != 0) return sign;
    if (a.z != b.z) return a.z > b.z ? 1 : -1;
    return a.y == b.y ? 0 : b.y > a.y ? 1 : -1;
}

// How a ray from p along +x passes the triangle: 1 from its back to its front, −1 the other way, 0 not.
int crossing(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& p) {
    const int way = turn_along_x(a, b, p);
    if (way == 0 || turn_along_x(b, c, p) != way || turn_along_x(c, a, p) != way) return 0;
    return orient3d(a, b, c, p) == -way ? way : 0;
}

// For each closed patch the outermost one around it, or itself.
std::vector<std::uint32_t> find_outermost(const Patches& all, std::span<const Vec3> positions,
                                          std::span<const Triangle> triangles) {
    std::vector<Bounds3> boxes(triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        for (const std::uint32_t corner : triangles[t]) boxes[t].add(positions[corner]);
    }
    const BoxTree tree(boxes);
    std::vector<std::uint32_t> outermost(all.patches.size());
    std::vector<std::pair<std::uint32_t, int>> crossings;
    for (std::uint32_t p = 0; p < all.patches.size(); ++p) {
        outermost[p] = p;
        if (!all.patches[p].closed) continue;
        const Vec3 start = positions[triangles[all.patches[p].first_triangle][0]];
        crossings.clear();
        tree.for_each_meeting({start, {Bounds3::huge, start.y, start.z}}, [&](std::uint32_t t) {
            const std::uint32_t other = all.of_triangle[t];
            if (!all.patches[other].closed || !all.patches[other].bounds.surrounds(all.patches[p].bounds))
                return;
            const Triangle corners = turned(triangles[t], all.orientation.turn[t]);
            crossings.push_back(
                {other, crossing(to_double(positions[corners[0]]), to_double(positions[corners[1]]),
                                 to_double(positions[corners[2]]), to_double(start))});
        });
        std::sort(crossings.begin(), crossings.end());
        double largest = 0;
        for (std::size_t first = 0, last; first < crossings.size(); first = last) {
            const std::uint32_t other = crossings[first].first;
            int winding = 0;
            for (last = first; last < crossings.size() && crossings[last].first == other; ++last) {
                winding += crossings[last].second;
            }
            if (winding == 0 || abs(all.patches[other].volume) <= largest) continue;
            largest = abs(all.patches[other].volume);
            outermost[p] = other;
        }
    }
    return outermost;
}

}  // namespace

Orientation find_orientation(std::span<const Vec3> positions, std::span<const Triangle> triangles) {
    Patches all = flood(triangles);
    find_open_patches(all, triangles);
    measure_patches(all, positions, triangles);
    const std::vector<std::uint32_t> outermost = find_outermost(all, positions, triangles);
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const std::uint32_t patch = all.of_triangle[t];
        const bool inside_out = all.patches[patch].closed && all.patches[outermost[patch]].volume < 0;
        if (inside_out) all.orientation.turn[t] = !all.orientation.turn[t];
    }
    return std::move(all.orientation);
}

}  // namespace pliant::mesh
