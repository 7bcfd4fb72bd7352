#include "mesh/tetrahedralize/components.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/format.h"
#include "mesh/topology/radix_sort.h"
#include "base/union_find.h"

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

double volume_of(const Filling& filling, const Tetrahedron& t) {
    const auto& p = filling.positions;
    return dot(cross(p[t[1]] - p[t[0]], p[t[2]] - p[t[0]]), p[t[3]] - p[t[0]]) / 6;
}

// For each part of the surface, the piece with the largest volume among those that touch it.
std::vector<std::uint32_t> largest_at_component(const Filling& filling, const Solid& solid,
                                                const Pieces& pieces, const std::vector<double>& volumes) {
    std::vector<std::uint32_t> largest(solid.components(), none);
    if (solid.components() == 1) {
        largest[0] =
            static_cast<std::uint32_t>(std::max_element(volumes.begin(), volumes.end()) - volumes.begin());
        return largest;
    }
    std::vector<std::uint32_t> piece_of_vertex(filling.positions.size(), none);
    for (std::size_t t = 0; t < filling.tetrahedra.size(); ++t) {
        for (const std::uint32_t v : filling.tetrahedra[t]) piece_of_vertex[v] = pieces.of_tetrahedron[t];
    }
    for (const Triangle& face : surface_triangles(filling.tetrahedra)) {
        const std::uint32_t v = face[0], piece = piece_of_vertex[v];
        const std::uint32_t triangle = solid.tree().nearest(filling.positions[v]).triangle;
        std::uint32_t& best = largest[solid.component_of_triangle()[triangle]];
        if (best == none || volumes[piece] > volumes[best]) best = piece;
    }
    return largest;
}

void drop_unused_vertices(Filling& filling) {
    std::vector<std::uint32_t> number(filling.positions.size(), none);
    for (const Tetrahedron& t : filling.tetrahedra) {
        for (const std::uint32_t v : t) number[v] = 0;
    }
    std::uint32_t count = 0;
    for (std::size_t v = 0; v < number.size(); ++v) {
        if (number[v] == none) continue;
        filling.positions[count] = filling.positions[v];
        number[v] = count++;
    }
    filling.positions.resize(count);
    for (Tetrahedron& t : filling.tetrahedra) {
        for (std::uint32_t& v : t) v = number[v];
    }
}

}  // namespace

Pieces find_pieces(const std::vector<Tetrahedron>& tetrahedra) {
    UnionFind sets(tetrahedra.size());
    const auto faces = sorted_faces(tetrahedra);
    for (std::size_t i = 1; i < faces.size(); ++i) {
        const bool same = std::equal(faces[i].begin(), faces[i].begin() + 3, faces[i - 1].begin());
        if (same) sets.join(faces[i - 1][3], faces[i][3]);
    }
    Pieces pieces;
    pieces.of_tetrahedron.resize(tetrahedra.size());
    for (std::uint32_t t = 0; t < tetrahedra.size(); ++t) {
        const std::uint32_t first = sets.find(t);
        pieces.of_tetrahedron[t] = first == t ? pieces.count++ : pieces.of_tetrahedron[first];
    }
    return pieces;
}

std::uint32_t tidy(Filling& filling, const Solid& solid, std::vector<std::string>& warnings) {
    const Pieces pieces = find_pieces(filling.tetrahedra);
    std::vector<double> volumes(pieces.count);
    for (std::size_t t = 0; t < filling.tetrahedra.size(); ++t) {
        volumes[pieces.of_tetrahedron[t]] += volume_of(filling, filling.tetrahedra[t]);
    }
    std::uint32_t count = pieces.count;
    if (pieces.count > 1) {
        const double least = 0.01 * std::accumulate(volumes.begin(), volumes.end(), 0.0);
        std::vector<bool> kept(pieces.count);
        for (std::uint32_t i = 0; i < pieces.count; ++i) kept[i] = volumes[i] >= least;
        for (const std::uint32_t i : largest_at_component(filling, solid, pieces, volumes)) {
            if (i != none) kept[i] = true;
        }
        std::size_t next = 0;
        for (std::size_t t = 0; t < filling.tetrahedra.size(); ++t) {
            if (kept[pieces.of_tetrahedron[t]]) filling.tetrahedra[next++] = filling.tetrahedra[t];
        }
        filling.tetrahedra.resize(next);
        count = static_cast<std::uint32_t>(std::count(kept.begin(), kept.end(), true));
        if (count < pieces.count) {
            warnings.push_back(fmt::format("{} small pieces that no face joins to the rest were left out",
                                           pieces.count - count));
        }
        if (count > solid.components()) {
            warnings.push_back(
                fmt::format("the tetrahedra are {} pieces, the surface is {}: a neck is thinner than "
                            "the edge length",
                            count, solid.components()));
        }
    }
    drop_unused_vertices(filling);
    return count;
}

}  // namespace pliant::mesh
