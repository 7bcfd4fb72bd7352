#include "mesh/tetrahedralize/solid.h"

#include "base/convert.h"
#include "base/format.h"
#include "base/union_find.h"
#include "mesh/geometry/coincident_points.h"
#include "mesh/topology/edge_uses.h"

namespace pliant::mesh {
namespace {

// The triangles with vertices at the same place made one.
std::vector<Triangle> welded_triangles(const TriangleMesh& surface) {
    const std::vector<std::uint32_t> first = first_at_place(surface.positions);
    std::vector<Triangle> welded;
    welded.reserve(surface.triangles.size());
    for (const Triangle& t : surface.triangles) welded.push_back({first[t[0]], first[t[1]], first[t[2]]});
    return welded;
}

}  // namespace

Solid::Solid(const TriangleMesh& surface) : tree_(surface.positions, surface.triangles), winding_(tree_) {
    measure(surface);
    const std::vector<Triangle> welded = welded_triangles(surface);
    count_edges(welded);
    find_components(welded, surface.positions.size());
}

void Solid::measure(const TriangleMesh& surface) {
    if (surface.triangles.empty()) return;
    const TriangleTree::Node& root = tree_.nodes()[0];
    low_ = to_double(root.box.low);
    high_ = to_double(root.box.high);
    const Vec3d middle = (low_ + high_) * 0.5;
    for (std::uint32_t i = 0; i < tree_.size(); ++i) {
        const auto c = tree_.corners(i);
        const Vec3d normal = cross(c[1] - c[0], c[2] - c[0]);
        area_ += length(normal) / 2;
        signed_volume_ += dot(normal, c[0] - middle) / 6;
    }
}

void Solid::count_edges(std::span<const Triangle> welded) {
    const std::vector<EdgeUse> sorted = sorted_edge_uses(welded);
    for_each_edge(sorted, [&](std::span<const EdgeUse> uses) {
        std::int64_t balance = 0;
        for (const EdgeUse& use : uses) balance += side_start(welded, use[2]) == use[0] ? 1 : -1;
        if (balance != 0) ++(uses.size() % 2 == 0 ? turned_edges_ : open_edges_);
    });
}

void Solid::find_components(std::span<const Triangle> welded, std::size_t vertices) {
    UnionFind sets(vertices);
    for (const Triangle& t : welded) {
        sets.join(t[0], t[1]);
        sets.join(t[0], t[2]);
    }
    constexpr std::uint32_t none = 0xffffffff;
    std::vector<std::uint32_t> number(vertices, none);
    component_of_triangle_.reserve(welded.size());
    for (const Triangle& t : welded) {
        std::uint32_t& component = number[sets.find(t[0])];
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
