#include "mesh/solid.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/convert.h"
#include "mesh/radix_sort.h"

namespace pliant::mesh {
namespace {

// The triangles with vertices at the same place made one.
std::vector<Triangle> weld(const TriangleMesh& surface) {
    const auto key = [&](std::uint32_t v) {
        const Vec3& p = surface.positions[v];
        return std::tuple(p.x, p.y, p.z);
    };
    std::vector<std::uint32_t> order(surface.positions.size()), first(surface.positions.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::tuple(key(a), a) < std::tuple(key(b), b);
    });
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool same = i > 0 && key(order[i]) == key(order[i - 1]);
        first[order[i]] = same ? first[order[i - 1]] : order[i];
    }
    std::vector<Triangle> welded;
    welded.reserve(surface.triangles.size());
    for (const Triangle& t : surface.triangles) welded.push_back({first[t[0]], first[t[1]], first[t[2]]});
    return welded;
}

}  // namespace

Solid::Solid(const TriangleMesh& surface) : tree_(surface.positions, surface.triangles), winding_(tree_) {
    measure(surface);
    const std::vector<Triangle> welded = weld(surface);
    count_edges(welded);
    find_components(welded, surface.positions.size());
}

void Solid::measure(const TriangleMesh& surface) {
    if (surface.triangles.empty()) return;
    const TriangleTree::Node& root = tree_.nodes()[0];
    low_ = to_double(root.low);
    high_ = to_double(root.high);
    const Vec3d middle = (low_ + high_) * 0.5;
    for (std::uint32_t i = 0; i < tree_.size(); ++i) {
        const auto c = tree_.corners(i);
        const Vec3d normal = cross(c[1] - c[0], c[2] - c[0]);
        area_ += length(normal) / 2;
        signed_volume_ += dot(normal, c[0] - middle) / 6;
    }
}

void Solid::count_edges(std::span<const Triangle> welded) {
    // {smaller end, larger end, runs from the larger}
    std::vector<std::array<std::uint32_t, 3>> uses;
    uses.reserve(welded.size() * 3);
    for (const Triangle& t : welded) {
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint32_t a = t[i], b = t[(i + 1) % 3];
            if (a != b) uses.push_back({std::min(a, b), std::max(a, b), a > b});
        }
    }
    radix_sort<2>(uses);
    for (std::size_t i = 0, next = 0; i < uses.size(); i = next) {
        std::int64_t balance = 0;
        for (; next < uses.size() && uses[next][0] == uses[i][0] && uses[next][1] == uses[i][1]; ++next) {
            balance += uses[next][2] != 0 ? -1 : 1;
        }
        if (balance == 0) continue;
        ++((next - i) % 2 == 0 ? turned_edges_ : open_edges_);
    }
}

void Solid::find_components(std::span<const Triangle> welded, std::size_t vertices) {
    std::vector<std::uint32_t> parent(vertices);
    std::iota(parent.begin(), parent.end(), 0u);
    const auto root = [&](std::uint32_t v) {
        while (parent[v] != v) v = parent[v] = parent[parent[v]];
        return v;
    };
    for (const Triangle& t : welded) {
        for (const std::uint32_t v : {t[1], t[2]}) {
            const std::uint32_t a = root(t[0]), b = root(v);
            parent[std::max(a, b)] = std::min(a, b);
        }
    }
    constexpr std::uint32_t none = 0xffffffff;
    std::vector<std::uint32_t> number(vertices, none);
    component_of_triangle_.reserve(welded.size());
    for (const Triangle& t : welded) {
        std::uint32_t& component = number[root(t[0])];
        if (component == none) component = components_++;
        component_of_triangle_.push_back(component);
    }
}

std::vector<std::string> Solid::warnings() const {
    std::vector<std::string> list;
    if (open_edges_ > 0) {
        list.push_back(
            fmt::format("the surface is open at {} of its edges: holes were closed where the "
                        "winding number is one half",
                        open_edges_));
    }
    if (turned_edges_ > 0) {
        list.push_back(
            fmt::format("triangles turn opposite ways at {} edges: repair the surface first if the "
                        "result has gaps",
                        turned_edges_));
    }
    if (signed_volume_ < 0) list.push_back("the surface is inside out: it was taken the other way round");
    return list;
}

}  // namespace pliant::mesh
