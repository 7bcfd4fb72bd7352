#include "mesh/tetrahedralize/components.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/format.h"
#include "base/geometry/tetrahedron.h"
#include "base/union_find.h"
#include "mesh/topology/radix_sort.h"
#include "mesh/topology/used_vertices.h"

namespace pliant::mesh {
namespace {

constexpr std::uint32_t none = 0xffffffff;

// {ascending corners, tetrahedron} of every face, equal ones side by side.
std::vector<std::array<std::uint32_t, 4>> sorted_faces(const std::vector<Tetrahedron>& tetrahedra) {
    std::vector<std::array<std::uint32_t, 4>> faces;
    faces.reserve(4 * tetrahedra.size());
    for (std::uint32_t t = 0; t < tetrahedra.size(); ++t) {
        Tetrahedron v = tetrahedra[t];
        std::sort(v.begin(), v.end());
        faces.push_back({v[0], v[1], v[2], t});
        faces.push_back({v[0], v[1], v[3], t});
        faces.push_back({v[0], v[2], v[3], t});
        faces.push_back({v[1], v[2], v[3], t});
    }
    radix_sort<3>(faces);
    return faces;
}

// For each part of the surface, the component with the largest volume among those that touch it.
std::vector<std::uint32_t> largest_at_component(const FillResult& filled, const Solid& solid,
                                                const TetrahedronComponents& components,
                                                const std::vector<double>& volumes) {
    std::vector<std::uint32_t> largest(solid.components(), none);
    if (solid.components() == 1) {
        largest[0] =
            static_cast<std::uint32_t>(std::max_element(volumes.begin(), volumes.end()) - volumes.begin());
        return largest;
    }
    std::vector<std::uint32_t> component_of_vertex(filled.positions.size(), none);
    for (std::size_t t = 0; t < filled.tetrahedra.size(); ++t) {
        for (const std::uint32_t v : filled.tetrahedra[t])
            component_of_vertex[v] = components.of_tetrahedron[t];
    }
    for (const Triangle& face : surface_triangles(filled.tetrahedra)) {
        const std::uint32_t v = face[0], component = component_of_vertex[v];
        const std::uint32_t triangle = solid.tree().nearest(filled.positions[v]).triangle;
        std::uint32_t& best = largest[solid.component_of_triangle()[triangle]];
        if (best == none || volumes[component] > volumes[best]) best = component;
    }
    return largest;
}

}  // namespace

TetrahedronComponents find_components(const std::vector<Tetrahedron>& tetrahedra) {
    UnionFind sets(tetrahedra.size());
    const auto faces = sorted_faces(tetrahedra);
    for (std::size_t i = 1; i < faces.size(); ++i) {
        const bool same = std::equal(faces[i].begin(), faces[i].begin() + 3, faces[i - 1].begin());
        if (same) sets.join(faces[i - 1][3], faces[i][3]);
    }
    TetrahedronComponents components;
    components.count = sets.number_sets(components.of_tetrahedron);
    return components;
}

std::uint32_t tidy(FillResult& filled, const Solid& solid, std::vector<std::string>& warnings) {
    const TetrahedronComponents components = find_components(filled.tetrahedra);
    std::vector<double> volumes(components.count);
    const auto& p = filled.positions;
    for (std::size_t t = 0; t < filled.tetrahedra.size(); ++t) {
        const auto& [a, b, c, d] = filled.tetrahedra[t];
        volumes[components.of_tetrahedron[t]] += tetrahedron_volume(p[a], p[b], p[c], p[d]);
    }
    std::uint32_t count = components.count;
    if (components.count > 1) {
        const double least = 0.01 * std::accumulate(volumes.begin(), volumes.end(), 0.0);
        std::vector<bool> kept(components.count);
        for (std::uint32_t i = 0; i < components.count; ++i) kept[i] = volumes[i] >= least;
        for (const std::uint32_t i : largest_at_component(filled, solid, components, volumes)) {
            if (i != none) kept[i] = true;
        }
        std::size_t next = 0;
        for (std::size_t t = 0; t < filled.tetrahedra.size(); ++t) {
            if (kept[components.of_tetrahedron[t]]) filled.tetrahedra[next++] = filled.tetrahedra[t];
        }
        filled.tetrahedra.resize(next);
        count = static_cast<std::uint32_t>(std::count(kept.begin(), kept.end(), true));
        if (count < components.count) {
            warnings.push_back(fmt::format("{} small components that no face joins to the rest were left out",
                                           components.count - count));
        }
        if (count > solid.components()) {
            warnings.push_back(
                fmt::format("the tetrahedra are {} components, the surface is {}: a neck is thinner than "
                            "the edge length",
                            count, solid.components()));
        }
    }
    drop_unused_vertices(filled.positions, filled.tetrahedra);
    return count;
}

}  // namespace pliant::mesh
