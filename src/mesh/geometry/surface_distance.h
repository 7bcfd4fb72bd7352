// Distances along a surface of triangles, as on a map of it: for cloth, how far two of its particles can ever
// be apart without stretching it.
//
// Dijkstra's search over the vertices, with paths that may also cross triangles. Where two corners a, b of a
// triangle have their distances from the same source, the source is unfolded into the triangle's plane, and
// the third corner sees it straight through the edge ab:
//
//        c              s = ((d_a² − d_b² + l²)/2l, −√…) in the frame of the edge, l = |ab|
//       ╱ ╲             d_c = |c − s|, if the straight line from s to c crosses the edge
//   a ─────── b
//        ·              Exact on flat surfaces without obtuse angles, and never too short on flat ones: what
//     s                 is not seen so goes along edges.
#pragma once

#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace pliant::mesh {

class Surface {
public:
    Surface() = default;
    // Triangles count the points.
    Surface(std::span<const Vec3> points, std::span<const Triangle> triangles);

    std::size_t vertices() const { return points_.size(); }
    const Vec3d& point(std::uint32_t vertex) const { return points_[vertex]; }
    // The other two corners of each triangle at a vertex.
    std::span<const Edge> sides_facing(std::uint32_t vertex) const {
        return std::span(sides_).subspan(first_[vertex], first_[vertex + 1] - first_[vertex]);
    }
    // The sum of the area vectors of the triangles at a vertex, times two.
    Vec3d normal(std::uint32_t vertex) const;

private:
    std::vector<Vec3d> points_;
    std::vector<std::uint32_t> first_;
    std::vector<Edge> sides_;
};

// Memory of searches, which one after the other share.
class DistanceSearch {
public:
    explicit DistanceSearch(const Surface& surface);

    // Calls visit(vertex, distance, source), once for each vertex as far as `limit`, with the distance from
    // the nearest of the sources; near ones first, but for obtuse triangles. Where it gives false, the search
    // goes no further.
    template <class Visit>
    void run(std::span<const std::uint32_t> sources, double limit, Visit visit) {
        begin(sources);
        std::uint32_t vertex = 0;
        while (next(limit, vertex)) {
            if (visit(vertex, distances_[vertex], sources_[vertex])) expand(vertex);
        }
    }

private:
    struct Entry {
        double distance;
        std::uint32_t vertex;
        friend bool operator<(const Entry& a, const Entry& b) {  // the nearest comes first
            return a.distance != b.distance ? a.distance > b.distance : a.vertex > b.vertex;
        }
    };

    void begin(std::span<const std::uint32_t> sources);
    bool next(double limit, std::uint32_t& vertex);
    void expand(std::uint32_t vertex);
    void offer(std::uint32_t vertex, double distance, std::uint32_t source);
    double across(std::uint32_t a, std::uint32_t b, std::uint32_t c) const;

    const Surface& surface_;
    std::vector<double> distances_;
    std::vector<std::uint32_t> sources_;
    std::vector<std::uint8_t> is_final_;
    std::vector<std::uint32_t> touched_;
    std::vector<Entry> heap_;
};

}  // namespace pliant::mesh
