#include "mesh/panels/outline.h"

#include <pliant/assertions.h>
#include <pliant/bounds.h>

#include <algorithm>
#include <cmath>

#include "base/convert.h"
#include "mesh/geometry/planar_predicates.h"
#include "mesh/geometry/polygon.h"
#include "mesh/panels/planar_triangulation.h"

namespace pliant::mesh {
namespace {

Bounds3d box_of(const Vec3d& a, const Vec3d& b) { return {componentwise_min(a, b), componentwise_max(a, b)}; }

bool segments_meet(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d) {
    return box_of(a, b).meets(box_of(c, d)) && turn(a, b, c) * turn(a, b, d) <= 0 &&
           turn(c, d, a) * turn(c, d, b) <= 0;
}

// Sites of a triangular lattice about the middle of a polygon, row by row.
class Sites {
public:
    Sites(std::span<const Vec3d> polygon, double spacing) : spacing_(spacing), height_(spacing * sqrt(0.75)) {
        const auto [low, high] = bounds_of(polygon);
        const auto half_x = static_cast<std::ptrdiff_t>((high.x - low.x) / (2 * spacing_)) + 1;
        const auto half_y = static_cast<std::ptrdiff_t>((high.y - low.y) / (2 * height_)) + 1;
        columns_ = 2 * half_x + 1;
        rows_ = 2 * half_y + 1;
        const Vec3d middle = (low + high) * 0.5;
        origin_ =
            middle - Vec3d{static_cast<double>(half_x) * spacing_, static_cast<double>(half_y) * height_, 0};
        wanted_.assign(static_cast<std::size_t>(rows_ * columns_), false);
    }

    // Takes the sites inside of the polygon: from every second crossing of a row with its sides to the next.
    void take_inside(std::span<const Vec3d> polygon) {
        std::vector<std::vector<double>> crossings(static_cast<std::size_t>(rows_));
        for (std::size_t i = 0; i < polygon.size(); ++i) {
            const Vec3d &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
            const auto [first, last] = rows_within(min(a.y, b.y), max(a.y, b.y));
            for (std::ptrdiff_t row = first; row <= last; ++row) {
                const double y = place(row, 0).y;
                if ((a.y <= y) == (b.y <= y)) continue;
                crossings[static_cast<std::size_t>(row)].push_back(a.x +
                                                                   (b.x - a.x) * ((y - a.y) / (b.y - a.y)));
            }
        }
        for (std::ptrdiff_t row = 0; row < rows_; ++row) {
            std::vector<double>& x = crossings[static_cast<std::size_t>(row)];
            std::sort(x.begin(), x.end());
            for (std::size_t i = 0; i + 1 < x.size(); i += 2) {
                const auto [first, last] = columns_within(row, x[i], x[i + 1]);
                for (std::ptrdiff_t column = first; column <= last; ++column) wanted(row, column) = true;
            }
        }
    }

    // Leaves out those that are nearer than a distance to a–b.
    void leave_out_near(const Vec3d& a, const Vec3d& b, double distance) {
        const Vec3d along = b - a;
        const auto [first_row, last_row] = rows_within(min(a.y, b.y) - distance, max(a.y, b.y) + distance);
        for (std::ptrdiff_t row = first_row; row <= last_row; ++row) {
            const auto [first, last] =
                columns_within(row, min(a.x, b.x) - distance, max(a.x, b.x) + distance);
            for (std::ptrdiff_t column = first; column <= last; ++column) {
                const Vec3d offset = place(row, column) - a;
                const double share = min(max(dot(offset, along) / dot(along, along), 0.0), 1.0);
                const Vec3d gap = offset - along * share;
                if (dot(gap, gap) < distance * distance) wanted(row, column) = false;
            }
        }
    }

    template <class F>
    void for_each(F f) {
        for (std::ptrdiff_t row = 0; row < rows_; ++row) {
            for (std::ptrdiff_t column = 0; column < columns_; ++column) {
                if (wanted(row, column)) f(place(row, column));
            }
        }
    }

private:
    struct Interval {
        std::ptrdiff_t first, last;
    };

    Vec3d place(std::ptrdiff_t row, std::ptrdiff_t column) const {
        const double shift = row % 2 == 0 ? 0 : 0.5;
        return origin_ +
               Vec3d{(static_cast<double>(column) + shift) * spacing_, static_cast<double>(row) * height_, 0};
    }
    static Interval within(double low, double high, std::ptrdiff_t count) {
        const double most = static_cast<double>(count - 1);
        return {static_cast<std::ptrdiff_t>(min(max(std::ceil(low), 0.0), most + 1)),
                static_cast<std::ptrdiff_t>(min(max(std::floor(high), -1.0), most))};
    }
    Interval rows_within(double low, double high) const {
        return within((low - origin_.y) / height_, (high - origin_.y) / height_, rows_);
    }
    Interval columns_within(std::ptrdiff_t row, double low, double high) const {
        const double x = place(row, 0).x;
        return within((low - x) / spacing_, (high - x) / spacing_, columns_);
    }
    std::vector<bool>::reference wanted(std::ptrdiff_t row, std::ptrdiff_t column) {
        return wanted_[static_cast<std::size_t>(row * columns_ + column)];
    }

    double spacing_, height_;
    std::ptrdiff_t rows_ = 0, columns_ = 0;
    Vec3d origin_{};
    std::vector<bool> wanted_;
};

}  // namespace

std::optional<std::array<std::size_t, 2>> crossing_sides(std::span<const Vec3d> corners) {
    const std::size_t count = corners.size();
    const auto at = [&](std::size_t i) -> const Vec3d& { return corners[i % count]; };
    for (std::size_t i = 0; i < count; ++i) {
        // Beside each other they share a corner, and meet again if the second goes back along the first.
        const Vec3d &a = at(i), &b = at(i + 1), &c = at(i + 2);
        if (turn(a, b, c) == 0 && dot(b - a, c - b) <= 0) return std::array{i, (i + 1) % count};
        for (std::size_t j = i + 2; j < count && j + 1 < i + count; ++j) {
            if (segments_meet(a, b, at(j), at(j + 1))) return std::array{i, j};
        }
    }
    return {};
}

Outline::Outline(std::span<const Vec2> corners) {
    for (const Vec2& p : corners) corners_.push_back({p.x, p.y, 0});
    distances_.push_back(0);
    for (std::size_t i = 0; i < corners_.size(); ++i) {
        distances_.push_back(distances_.back() + length(corners_[(i + 1) % corners_.size()] - corners_[i]));
    }
}

Vec3d Outline::point_at(double distance) const {
    const auto next = std::upper_bound(distances_.begin(), distances_.end(), distance);
    const auto i = std::min(static_cast<std::size_t>(next - distances_.begin()), corners_.size()) - 1;
    const double share = (distance - distances_[i]) / (distances_[i + 1] - distances_[i]);
    return corners_[i] + (corners_[(i + 1) % corners_.size()] - corners_[i]) * share;
}

bool Outline::is_sharp(std::size_t corner) const {
    const std::size_t count = corners_.size();
    const Vec3d before = corners_[corner] - corners_[(corner + count - 1) % count];
    const Vec3d after = corners_[(corner + 1) % count] - corners_[corner];
    const double cosine_of_30_degrees = sqrt(0.75);
    return dot(before, after) < cosine_of_30_degrees * length(before) * length(after);
}

bool Outline::is_counterclockwise() const {
    double twice_area = 0;
    for (std::size_t i = 1; i + 1 < corners_.size(); ++i) {
        twice_area += cross(corners_[i] - corners_[0], corners_[i + 1] - corners_[0]).z;
    }
    return twice_area > 0;
}

std::optional<PlanarMesh> fill_polygon(const std::vector<Vec3d>& polygon, double edge_length) {
    std::vector<Vec3> corners;
    for (const Vec3d& p : polygon) corners.push_back(to_float(p));
    std::vector<Triangle> triangles;
    if (!triangulate_polygon(corners, triangles)) return {};

    // A lattice inside, at some distance from the sides; then the two are made to fit.
    constexpr double distance_from_sides = 0.6;
    constexpr int rounds = 8;
    PlanarTriangulation triangulation(polygon, std::move(triangles));
    Sites sites(polygon, edge_length);
    sites.take_inside(polygon);
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        sites.leave_out_near(polygon[i], polygon[(i + 1) % polygon.size()],
                             distance_from_sides * edge_length);
    }
    sites.for_each([&](const Vec3d& p) { triangulation.insert(p); });
    for (int i = 0; i < rounds; ++i) triangulation.smooth();
    PLIANT_VALIDATE(triangulation.validate());
    return PlanarMesh{triangulation.positions(), triangulation.triangles()};
}

}  // namespace pliant::mesh
