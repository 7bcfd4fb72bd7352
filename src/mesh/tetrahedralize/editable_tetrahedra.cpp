#include "mesh/tetrahedralize/editable_tetrahedra.h"

#include <algorithm>
#include <utility>

#include "mesh/tetrahedralize/improve.h"

namespace pliant::mesh {

bool has(const Tetrahedron& t, std::uint32_t vertex) {
    return t[0] == vertex || t[1] == vertex || t[2] == vertex || t[3] == vertex;
}

Edge other_corners(const Tetrahedron& t, std::uint32_t a, std::uint32_t b) {
    // Even permutations that bring corner i to the front and j behind it.
    constexpr std::uint8_t rest[4][4][2] = {{{0, 0}, {2, 3}, {3, 1}, {1, 2}},
                                            {{3, 2}, {0, 0}, {0, 3}, {2, 0}},
                                            {{1, 3}, {3, 0}, {0, 0}, {0, 1}},
                                            {{2, 1}, {0, 2}, {1, 0}, {0, 0}}};
    const auto i = std::find(t.begin(), t.end(), a) - t.begin(),
               j = std::find(t.begin(), t.end(), b) - t.begin();
    return {t[rest[i][j][0]], t[rest[i][j][1]]};
}

EditableTetrahedra::EditableTetrahedra(std::vector<Vec3d> positions,
                                       const std::vector<Tetrahedron>& tetrahedra)
    : positions_(std::move(positions)), at_(positions_.size()) {
    tetrahedra_.reserve(tetrahedra.size() + tetrahedra.size() / 4);
    quality_.reserve(tetrahedra_.capacity());
    std::vector<std::uint32_t> counts(positions_.size());
    for (const Tetrahedron& t : tetrahedra) {
        for (const std::uint32_t v : t) ++counts[v];
    }
    for (std::size_t v = 0; v < at_.size(); ++v) at_[v].reserve(counts[v]);
    for (const Tetrahedron& t : tetrahedra) add(t);
}

void EditableTetrahedra::add(const Tetrahedron& t) {
    for (const std::uint32_t v : t) at_[v].push_back(size());
    tetrahedra_.push_back(t);
    quality_.push_back(quality_of(t));
}

void EditableTetrahedra::remove(std::uint32_t t) {
    for (const std::uint32_t v : tetrahedra_[t]) std::erase(at_[v], t);
    quality_[t] = gone;
}

void EditableTetrahedra::restore(std::uint32_t t) {
    for (const std::uint32_t v : tetrahedra_[t]) at_[v].push_back(t);
    quality_[t] = quality_of(tetrahedra_[t]);
}

void EditableTetrahedra::move(std::uint32_t vertex, const Vec3d& to) {
    positions_[vertex] = to;
    for (const std::uint32_t t : at_[vertex]) quality_[t] = quality_of(tetrahedra_[t]);
}

double EditableTetrahedra::quality_of(const Tetrahedron& t) const {
    return smallest_sine(positions_[t[0]], positions_[t[1]], positions_[t[2]], positions_[t[3]]);
}

double EditableTetrahedra::quality_at(std::uint32_t vertex, const Vec3d& there, double least) const {
    double worst = 1;
    for (const std::uint32_t t : at_[vertex]) {
        std::array<Vec3d, 4> p;
        for (std::size_t i = 0; i < 4; ++i) {
            p[i] = tetrahedra_[t][i] == vertex ? there : positions_[tetrahedra_[t][i]];
        }
        worst = std::min(worst, smallest_sine(p[0], p[1], p[2], p[3]));
        if (worst < least) break;
    }
    return worst;
}

bool EditableTetrahedra::has_edge(std::uint32_t a, std::uint32_t b) const {
    return std::any_of(at_[a].begin(), at_[a].end(), [&](std::uint32_t t) { return has(tetrahedra_[t], b); });
}

bool EditableTetrahedra::has_face(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    return std::any_of(at_[a].begin(), at_[a].end(),
                       [&](std::uint32_t t) { return has(tetrahedra_[t], b) && has(tetrahedra_[t], c); });
}

std::uint32_t EditableTetrahedra::across(std::uint32_t t, std::size_t corner) const {
    const Tetrahedron& own = tetrahedra_[t];
    const std::uint32_t a = own[(corner + 1) % 4], b = own[(corner + 2) % 4], c = own[(corner + 3) % 4];
    for (const std::uint32_t other : at_[a]) {
        if (other != t && has(tetrahedra_[other], b) && has(tetrahedra_[other], c)) return other;
    }
    return none;
}

EditableTetrahedra::Ring EditableTetrahedra::around(std::uint32_t a, std::uint32_t b) const {
    std::vector<std::pair<std::uint32_t, Edge>> wedges;
    for (const std::uint32_t t : at_[a]) {
        if (has(tetrahedra_[t], b)) wedges.push_back({t, other_corners(tetrahedra_[t], a, b)});
    }
    Ring ring;
    if (wedges.empty()) return ring;
    const std::uint32_t start = wedges[0].second[0];
    std::uint32_t vertex = start;
    for (std::size_t i = 0; i < wedges.size(); ++i) {
        const auto next = std::find_if(wedges.begin(), wedges.end(),
                                       [&](const auto& wedge) { return wedge.second[0] == vertex; });
        if (next == wedges.end()) break;
        ring.tetrahedra.push_back(next->first);
        ring.vertices.push_back(vertex);
        vertex = next->second[1];
        if (vertex == start) break;
    }
    ring.closed = vertex == start && ring.vertices.size() == wedges.size();
    return ring;
}

// vertices − edges + faces of what the vertex sees is 2 (a sphere) or, with a border that passes through each
// of its vertices once, 1 (a disc).
bool EditableTetrahedra::has_simple_star(std::uint32_t vertex) const {
    if (at_[vertex].empty()) return true;
    std::vector<Edge> edges;
    std::vector<std::uint32_t> corners, border;
    edges.reserve(3 * at_[vertex].size());
    corners.reserve(3 * at_[vertex].size());
    for (const std::uint32_t t : at_[vertex]) {
        Triangle face;
        std::size_t n = 0;
        for (const std::uint32_t v : tetrahedra_[t]) {
            if (v != vertex) face[n++] = v;
        }
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint32_t a = face[i], b = face[(i + 1) % 3];
            edges.push_back({std::min(a, b), std::max(a, b)});
            corners.push_back(a);
        }
    }
    std::sort(corners.begin(), corners.end());
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    std::sort(edges.begin(), edges.end());
    std::size_t different = 0;
    for (std::size_t i = 0, next = 0; i < edges.size(); i = next, ++different) {
        while (next < edges.size() && edges[next] == edges[i]) ++next;
        if (next - i == 1) border.insert(border.end(), edges[i].begin(), edges[i].end());
    }
    std::sort(border.begin(), border.end());
    for (std::size_t i = 2; i < border.size(); ++i) {
        if (border[i] == border[i - 2]) return false;
    }
    return corners.size() + at_[vertex].size() == different + (border.empty() ? 2 : 1);
}

std::vector<Tetrahedron> EditableTetrahedra::remaining() const {
    std::vector<Tetrahedron> kept;
    for (std::uint32_t t = 0; t < size(); ++t) {
        if (!is_gone(t)) kept.push_back(tetrahedra_[t]);
    }
    return kept;
}

}  // namespace pliant::mesh
