// Repairs a surface step by step until no step finds anything to do. Vertices keep their numbers until the
// end; triangles carry their normals and texture coordinates along.
#include <pliant/mesh_report.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "base/convert.h"
#include "base/floating_point.h"
#include "base/format.h"
#include "base/union_find.h"
#include "mesh/geometry/coincident_points.h"
#include "mesh/geometry/intersection.h"
#include "mesh/repair/degenerate_triangles.h"
#include "mesh/repair/orient.h"
#include "mesh/repair/surface_checks.h"
#include "mesh/topology/edge_uses.h"
#include "mesh/topology/used_vertices.h"

namespace pliant {
namespace {

// Keeps the triangles t with keep(t). How many went.
template <class Keep>
std::uint64_t keep_triangles(TriangleMesh& surface, Keep&& keep) {
    const std::size_t before = surface.triangles.size();
    std::size_t kept = 0;
    for (std::size_t t = 0; t < before; ++t) {
        if (!keep(t)) continue;
        surface.triangles[kept] = surface.triangles[t];
        if (!surface.normals.empty()) surface.normals[kept] = surface.normals[t];
        if (!surface.texture_coordinates.empty()) {
            surface.texture_coordinates[kept] = surface.texture_coordinates[t];
        }
        ++kept;
    }
    surface.triangles.resize(kept);
    if (!surface.normals.empty()) surface.normals.resize(kept);
    if (!surface.texture_coordinates.empty()) surface.texture_coordinates.resize(kept);
    return before - kept;
}

// Joins vertices of the boundary that are near each other, and the ends of edges without length. How many
// vertices went.
std::uint64_t weld(TriangleMesh& surface, float distance) {
    std::vector<bool> on_boundary(surface.positions.size());
    UnionFind sets(surface.positions.size());
    const std::vector<mesh::EdgeUse> uses = mesh::sorted_edge_uses(surface.triangles);
    mesh::for_each_edge(uses, [&](std::span<const mesh::EdgeUse> edge) {
        const std::uint32_t a = edge[0][0], b = edge[0][1];
        if (surface.positions[a] == surface.positions[b]) sets.join(a, b);
        if (edge.size() == 1) on_boundary[a] = on_boundary[b] = true;
    });
    std::vector<std::uint32_t> vertices;
    std::vector<Vec3> places;
    for (std::uint32_t v = 0; v < surface.positions.size(); ++v) {
        if (!on_boundary[v]) continue;
        vertices.push_back(v);
        places.push_back(surface.positions[v]);
    }
    const std::vector<std::uint32_t> first = mesh::first_within(places, distance);
    for (std::size_t i = 0; i < vertices.size(); ++i) sets.join(vertices[i], vertices[first[i]]);

    std::vector<bool> gone(surface.positions.size());
    for (Triangle& t : surface.triangles) {
        for (std::uint32_t& corner : t) {
            const std::uint32_t kept = sets.find(corner);
            if (kept != corner) gone[corner] = true;
            corner = kept;
        }
    }
    return static_cast<std::uint64_t>(std::count(gone.begin(), gone.end(), true));
}

// Swaps two corners. A normal that then looks to the back of its triangle is turned too.
void turn_triangle(TriangleMesh& surface, std::size_t t) {
    Triangle& corners = surface.triangles[t];
    std::swap(corners[1], corners[2]);
    if (!surface.texture_coordinates.empty()) {
        std::swap(surface.texture_coordinates[t][1], surface.texture_coordinates[t][2]);
    }
    if (surface.normals.empty()) return;
    std::swap(surface.normals[t][1], surface.normals[t][2]);
    const Vec3d a = to_double(surface.positions[corners[0]]);
    const Vec3d face =
        cross(to_double(surface.positions[corners[1]]) - a, to_double(surface.positions[corners[2]]) - a);
    for (Vec3& normal : surface.normals[t]) {
        if (dot(to_double(normal), face) < 0) normal = -normal;
    }
}

void say(std::vector<std::string>& list, std::uint64_t count, std::string_view one, std::string_view many) {
    if (count > 0) list.push_back(fmt::format("{} {}", count, count == 1 ? one : many));
}

// Attributes that do not fit cannot be carried along.
void drop_invalid(Repaired& result) {
    TriangleMesh& surface = result.mesh;
    if (!mesh::attributes_fit(surface)) {
        surface.normals.clear();
        surface.texture_coordinates.clear();
        result.changes.push_back("dropped normals and texture coordinates: not one for each triangle");
    }
    const std::uint64_t invalid = keep_triangles(
        surface, [&](std::size_t t) { return mesh::is_valid(surface.positions, surface.triangles[t]); });
    say(result.changes, invalid, "triangle dropped: a corner does not exist or is not finite",
        "triangles dropped: a corner does not exist or is not finite");
}

void orient(Repaired& result) {
    const mesh::Orientation orientation =
        mesh::find_orientation(result.mesh.positions, result.mesh.triangles);
    std::uint64_t turned = 0;
    for (std::size_t t = 0; t < result.mesh.triangles.size(); ++t) {
        if (!orientation.turn[t]) continue;
        turn_triangle(result.mesh, t);
        ++turned;
    }
    say(result.changes, turned, "triangle turned", "triangles turned");
    say(result.problems, orientation.one_sided_components,
        "component is one-sided, like a Möbius strip: cannot be oriented",
        "components are one-sided, like a Möbius strip: cannot be oriented");
}

}  // namespace

Repaired repair(const TriangleMesh& surface, const RepairOptions& options) {
    const StandardFloatingPoint floating_point;
    Repaired result;
    result.mesh = surface;
    drop_invalid(result);

    // Each step may give work to another. They end, as each time vertices, triangles, or triangles without
    // area become fewer.
    std::uint64_t welded = 0, collapsed = 0, doubled = 0, straightened = 0;
    TriangleMesh& mesh = result.mesh;
    while (true) {
        const std::uint64_t welds = weld(mesh, options.weld_distance);
        const std::uint64_t collapses = keep_triangles(
            mesh, [&](std::size_t t) { return !mesh::has_repeated_corner(mesh.triangles[t]); });
        const std::vector<bool> duplicate = mesh::duplicate_triangles(mesh.triangles);
        const std::uint64_t doubles = keep_triangles(mesh, [&](std::size_t t) { return !duplicate[t]; });
        const mesh::StraightenedTriangles degenerate = mesh::straighten_degenerate_triangles(mesh);
        straightened += degenerate.straightened;
        const std::uint64_t drops = keep_triangles(mesh, [&](std::size_t t) { return !degenerate.drop[t]; });
        welded += welds;
        collapsed += collapses + drops;
        doubled += doubles;
        if (welds + collapses + doubles + drops + degenerate.straightened == 0) {
            say(result.problems, degenerate.left, "triangle has no area", "triangles have no area");
            break;
        }
    }
    say(result.changes, welded, "vertex welded to another", "vertices welded to others");
    say(result.changes, collapsed, "triangle without area dropped", "triangles without area dropped");
    say(result.changes, doubled, "triangle dropped that was there twice",
        "triangles dropped that were there twice");
    say(result.changes, straightened, "triangle without area merged with its neighbour",
        "triangles without area merged with their neighbours");
    const std::size_t vertices = mesh.positions.size();
    result.vertex_from = mesh::drop_unused_vertices(mesh.positions, mesh.triangles);
    const std::uint64_t unused = vertices - mesh.positions.size();
    say(result.changes, unused - welded, "vertex dropped that no triangle used",
        "vertices dropped that no triangle used");
    if (options.orient) orient(result);
    return result;
}

}  // namespace pliant
