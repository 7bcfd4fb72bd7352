#include "mesh/geometry/surface_distance.h"

#include <algorithm>

#include "base/convert.h"

namespace pliant::mesh {
namespace {

constexpr double unreached = std::numeric_limits<double>::infinity();

}  // namespace

Surface::Surface(std::span<const Vec3> points, std::span<const Triangle> triangles)
    : first_(points.size() + 1, 0), sides_(3 * triangles.size()) {
    points_.reserve(points.size());
    for (const Vec3& p : points) points_.push_back(to_double(p));
    for (const Triangle& t : triangles) {
        for (const std::uint32_t corner : t) ++first_[corner + 1];
    }
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (const Triangle& t : triangles) {
        for (std::size_t k = 0; k < 3; ++k) sides_[next[t[k]]++] = {t[(k + 1) % 3], t[(k + 2) % 3]};
    }
}

Vec3d Surface::normal(std::uint32_t vertex) const {
    Vec3d sum;
    for (const Edge& side : sides_facing(vertex))
        sum = sum + cross(points_[side[0]] - points_[vertex], points_[side[1]] - points_[vertex]);
    return sum;
}

DistanceSearch::DistanceSearch(const Surface& surface)
    : surface_(surface),
      distances_(surface.vertices(), unreached),
      sources_(surface.vertices(), 0),
      is_final_(surface.vertices(), 0) {}

void DistanceSearch::begin(std::span<const std::uint32_t> sources) {
    for (const std::uint32_t vertex : touched_) {
        distances_[vertex] = unreached;
        is_final_[vertex] = 0;
    }
    touched_.clear();
    heap_.clear();
    for (const std::uint32_t source : sources) offer(source, 0, source);
}

bool DistanceSearch::next(double limit, std::uint32_t& vertex) {
    while (!heap_.empty()) {
        const Entry nearest = heap_.front();
        std::pop_heap(heap_.begin(), heap_.end());
        heap_.pop_back();
        if (is_final_[nearest.vertex] || nearest.distance > limit) continue;
        vertex = nearest.vertex;
        is_final_[vertex] = 1;
        return true;
    }
    return false;
}

void DistanceSearch::offer(std::uint32_t vertex, double distance, std::uint32_t source) {
    if (!(distance < distances_[vertex])) return;
    if (distances_[vertex] == unreached) touched_.push_back(vertex);
    distances_[vertex] = distance;
    sources_[vertex] = source;
    heap_.push_back({distance, vertex});
    std::push_heap(heap_.begin(), heap_.end());
}

// The distance of c, through the edge ab, from the source of both.
double DistanceSearch::across(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    const Vec3d edge = surface_.point(b) - surface_.point(a), to_c = surface_.point(c) - surface_.point(a);
    const double square = dot(edge, edge), l = sqrt(square);
    if (!(l > 0)) return unreached;
    const double da = distances_[a], db = distances_[b];
    const double along = (da * da - db * db + square) / (2 * l),
                 below = sqrt(max(da * da - along * along, 0.0));
    const Vec3d normal = cross(edge, to_c);
    const double x = dot(edge, to_c) / l, y = sqrt(dot(normal, normal)) / l;
    if (!(below + y > 0)) return unreached;
    const double crossing = along + (x - along) * below / (below + y);
    if (!(crossing >= 0 && crossing <= l)) return unreached;
    return sqrt((x - along) * (x - along) + (below + y) * (below + y));
}

void DistanceSearch::expand(std::uint32_t vertex) {
    const std::uint32_t source = sources_[vertex];
    const auto along_edge = [&](std::uint32_t other) {
        if (!is_final_[other])
            offer(other, distances_[vertex] + length(surface_.point(other) - surface_.point(vertex)), source);
    };
    const auto through = [&](std::uint32_t known, std::uint32_t other) {
        if (is_final_[known] && !is_final_[other] && sources_[known] == source)
            offer(other, across(vertex, known, other), source);
    };
    for (const Edge& side : surface_.sides_facing(vertex)) {
        along_edge(side[0]);
        along_edge(side[1]);
        through(side[0], side[1]);
        through(side[1], side[0]);
    }
}

}  // namespace pliant::mesh
