// A convex polygon becomes a fan. Any other is seen along its mean normal, and ears are cut off: corners
// whose triangle lies inside (Meisters, Polygons have ears, 1975). Cutting an ear can make an ear only of
// the corners beside it, so each corner is tested once, and again when a neighbour went.
#include "mesh/geometry/polygon.h"

#include <cmath>
#include <cstdint>

#include "base/convert.h"
#include "mesh/geometry/planar_predicates.h"

namespace pliant::mesh {
namespace {

// Newell's normal: the sum of the cross products of neighbours, twice the area of each projection.
Vec3d mean_normal(std::span<const Vec3> corners) {
    Vec3d normal;
    const Vec3d origin = to_double(corners[0]);
    for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
        normal = normal + cross(to_double(corners[i]) - origin, to_double(corners[i + 1]) - origin);
    }
    return normal;
}

// Along the axis nearest to the normal, so that the polygon turns counterclockwise.
std::vector<Vec3d> projected(std::span<const Vec3> corners) {
    const Vec3d n = mean_normal(corners);
    const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
    std::vector<Vec3d> points;
    points.reserve(corners.size());
    for (const Vec3& corner : corners) {
        const Vec3d p = to_double(corner);
        Vec3d q = x > y && x > z ? Vec3d{p.y, p.z, 0} : y > z ? Vec3d{p.z, p.x, 0} : Vec3d{p.x, p.y, 0};
        const double along = x > y && x > z ? n.x : y > z ? n.y : n.z;
        if (along < 0) q.x = -q.x;
        points.push_back(q);
    }
    return points;
}

class EarCutter {
public:
    explicit EarCutter(std::span<const Vec3d> points) : points_(points) {
        const auto count = static_cast<std::uint32_t>(points.size());
        for (std::uint32_t i = 0; i < count; ++i) {
            previous_.push_back((i + count - 1) % count);
            next_.push_back((i + 1) % count);
        }
        for (std::uint32_t i = 0; i < count; ++i) {
            if (turn_at(i) <= 0) hollow_.push_back(i);
        }
    }

    bool convex() const { return hollow_.empty(); }

    void cut(std::vector<Triangle>& triangles) {
        const std::size_t count = points_.size();
        std::vector<bool> ear(count);
        for (std::uint32_t i = 0; i < count; ++i) ear[i] = is_ear(i);
        std::uint32_t corner = 0;
        for (std::size_t left = count; left > 3; --left) {
            // Where there is no ear left, as in a polygon that crosses itself, any corner will do.
            for (std::size_t tried = 0; tried < left && !ear[corner]; ++tried) corner = next_[corner];
            const std::uint32_t before = previous_[corner], after = next_[corner];
            triangles.push_back({before, corner, after});
            next_[before] = after;
            previous_[after] = before;
            forget(corner);
            ear[before] = is_ear(before);
            ear[after] = is_ear(after);
            corner = next_[after];  // not at once beside the last: slivers would gather there
        }
        triangles.push_back({previous_[corner], corner, next_[corner]});
    }

private:
    int turn_at(std::uint32_t i) const { return turn(points_[previous_[i]], points_[i], points_[next_[i]]); }

    bool is_ear(std::uint32_t i) const {
        const Vec3d &a = points_[previous_[i]], &b = points_[i], &c = points_[next_[i]];
        if (turn(a, b, c) <= 0) return false;
        for (const std::uint32_t other : hollow_) {
            const Vec3d& p = points_[other];
            if (p == a || p == b || p == c) continue;
            if (turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0) return false;
        }
        return true;
    }

    void forget(std::uint32_t corner) {
        for (std::size_t i = 0; i < hollow_.size(); ++i) {
            if (hollow_[i] != corner) continue;
            hollow_[i] = hollow_.back();
            hollow_.pop_back();
            return;
        }
    }

    std::span<const Vec3d> points_;
    std::vector<std::uint32_t> previous_, next_;
    std::vector<std::uint32_t> hollow_;  // corners that were not convex: only they can lie in an ear
};

}  // namespace

bool triangulate_polygon(std::span<const Vec3> corners, std::vector<Triangle>& triangles) {
    const auto fan = [&] {
        for (std::uint32_t i = 2; i < corners.size(); ++i) triangles.push_back({0, i - 1, i});
        return true;
    };
    if (corners.size() <= 3) return fan();
    const std::vector<Vec3d> points = projected(corners);
    EarCutter cutter(points);
    if (cutter.convex()) return fan();
    if (corners.size() > most_corners_of_concave_polygon) return false;
    cutter.cut(triangles);
    return true;
}

}  // namespace pliant::mesh
