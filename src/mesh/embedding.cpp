// Weights of a point x in a tetrahedron (x₀, x₁, x₂, x₃): x − x₀ = w₁(x₁−x₀) + w₂(x₂−x₀) + w₃(x₃−x₀) and
// w₀ = 1 − w₁ − w₂ − w₃. By Cramer's rule w₁ = (x−x₀)·(b×c) / (a×b·c), where a, b, c are the three edges
// from x₀, and so on.
#include <pliant/embedding.h>

#include <algorithm>
#include <cstddef>
#include <limits>

#include "base/convert.h"
#include "base/floating_point.h"
#include "base/format.h"
#include "base/geometry/tetrahedron.h"
#include "mesh/geometry/box_tree.h"
#include "mesh/geometry/closest_point.h"
#include "mesh/geometry/mesh_checks.h"

namespace pliant {
namespace {

using Weights = std::array<double, 4>;

struct Element {
    Tetrahedron vertices{};
    std::array<Vec3d, 4> corners{};
    std::array<Vec3d, 3> rows{};  // w₁ … w₃ are their products with x − x₀

    Weights weights(const Vec3d& x) const {
        const Vec3d d = x - corners[0];
        const double w1 = dot(rows[0], d), w2 = dot(rows[1], d), w3 = dot(rows[2], d);
        return {1 - w1 - w2 - w3, w1, w2, w3};
    }
};

// A volume below this share of the cube of the longest edge is none: weights would have no digits left.
constexpr double smallest_volume = 1e-9;

bool make_element(const TetrahedralMesh& mesh, const Tetrahedron& t, Element& element) {
    element.vertices = t;
    for (std::size_t k = 0; k < 4; ++k) element.corners[k] = to_double(mesh.positions[t[k]]);
    const Vec3d a = element.corners[1] - element.corners[0], b = element.corners[2] - element.corners[0],
                c = element.corners[3] - element.corners[0];
    const double longest = sqrt(max(max(dot(a, a), max(dot(b, b), dot(c, c))),
                                    max(dot(b - a, b - a), max(dot(c - b, c - b), dot(a - c, a - c)))));
    const double six_volumes = triple_product(a, b, c);
    if (!(abs(six_volumes) > smallest_volume * longest * longest * longest)) return false;
    element.rows = {cross(b, c) * (1 / six_volumes), cross(c, a) * (1 / six_volumes),
                    cross(a, b) * (1 / six_volumes)};
    return true;
}

double smallest(const Weights& w) { return min(min(w[0], w[1]), min(w[2], w[3])); }

// 0 inside. Outside, the nearest point lies on a face that the point is beyond of.
double squared_distance(const Element& element, const Weights& w, const Vec3d& x) {
    double nearest = std::numeric_limits<double>::max();
    for (std::size_t k = 0; k < 4; ++k) {
        if (w[k] >= 0) continue;
        const auto& c = element.corners;
        const Vec3d p = mesh::closest_on_triangle(c[(k + 1) % 4], c[(k + 2) % 4], c[(k + 3) % 4], x);
        nearest = min(nearest, dot(x - p, x - p));
    }
    return nearest == std::numeric_limits<double>::max() ? 0 : nearest;
}

struct Found {
    std::uint32_t element = 0;
    double squared_distance = std::numeric_limits<double>::max();
    Weights weights{};
};

// Elements that share the nearest face, edge or vertex are equally near up to rounding. Among those the one
// that has to go on least counts: that with the largest smallest weight, then the first.
Found find_nearest(std::span<const Element> elements, const mesh::BoxTree& tree, const Vec3d& x) {
    constexpr double slack = 1 + 1e-9;
    Found found;
    tree.for_each_near(x, [&](std::uint32_t e) {
        const Weights w = elements[e].weights(x);
        const double distance = squared_distance(elements[e], w, x);
        const double ahead = smallest(w) - smallest(found.weights);
        const bool equally_near =
            distance <= found.squared_distance * slack && found.squared_distance <= distance * slack;
        const bool better =
            equally_near ? ahead > 0 || (ahead == 0 && e < found.element) : distance < found.squared_distance;
        if (better) found = {e, distance, w};
        return found.squared_distance * slack;
    });
    return found;
}

Result<std::vector<Element>> make_elements(const TetrahedralMesh& mesh) {
    if (const Status ok = mesh::check_positions<float>(mesh.positions, "mesh/positions"); !ok)
        return ok.error();
    if (const Status ok = mesh::check_elements<4>(mesh.tetrahedra, mesh.positions.size(), "mesh/tetrahedra");
        !ok)
        return ok.error();
    std::vector<Element> elements;
    elements.reserve(mesh.tetrahedra.size());
    for (const Tetrahedron& t : mesh.tetrahedra) {
        Element element;
        if (make_element(mesh, t, element)) elements.push_back(element);
    }
    if (elements.empty()) {
        return Error{"mesh", mesh.tetrahedra.empty() ? std::string("has no tetrahedra")
                                                     : fmt::format("none of the {} tetrahedra has a volume",
                                                                   mesh.tetrahedra.size())};
    }
    return elements;
}

}  // namespace

Status Embedding::apply(std::span<const Vec3> vertices, std::span<Vec3> points) const {
    const StandardFloatingPoint floating_point;
    if (vertices.size() != mesh_vertices) {
        return Error{"vertices", fmt::format("must be {}, got {}", mesh_vertices, vertices.size())};
    }
    if (points.size() != elements.size() || points.size() != weights.size()) {
        return Error{"points", fmt::format("must be {}, got {}", elements.size(), points.size())};
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Tetrahedron& e = elements[i];
        const std::array<float, 4>& w = weights[i];
        PLIANT_ASSERT(std::max({e[0], e[1], e[2], e[3]}) < mesh_vertices);
        // Σ wₖxₖ, written so that rounding is relative to the element's size, not to its place.
        const Vec3 x = vertices[e[0]];
        points[i] =
            x + (vertices[e[1]] - x) * w[1] + (vertices[e[2]] - x) * w[2] + (vertices[e[3]] - x) * w[3];
    }
    return {};
}

Result<Embedding> embed(std::span<const Vec3> points, const TetrahedralMesh& mesh) {
    const StandardFloatingPoint floating_point;
    if (const Status ok = mesh::check_positions(points, "points"); !ok) return ok.error();
    const Result<std::vector<Element>> elements = make_elements(mesh);
    if (!elements) return elements.error();
    std::vector<Bounds3> boxes(elements->size());
    for (std::size_t e = 0; e < boxes.size(); ++e) {
        for (const std::uint32_t v : (*elements)[e].vertices) boxes[e].add(mesh.positions[v]);
    }
    const mesh::BoxTree tree(boxes);

    Embedding embedding;
    embedding.mesh_vertices = static_cast<std::uint32_t>(mesh.positions.size());
    embedding.elements.reserve(points.size());
    embedding.weights.reserve(points.size());
    for (const Vec3& point : points) {
        const Found found = find_nearest(*elements, tree, to_double(point));
        const auto distance = static_cast<float>(sqrt(found.squared_distance));
        embedding.largest_distance = std::max(embedding.largest_distance, distance);
        std::array<float, 4> weights;
        for (std::size_t k = 0; k < 4; ++k) {
            weights[k] = static_cast<float>(found.weights[k]);
            embedding.largest_weight = std::max(embedding.largest_weight, abs(weights[k]));
        }
        embedding.elements.push_back((*elements)[found.element].vertices);
        embedding.weights.push_back(weights);
    }
    return embedding;
}

}  // namespace pliant
