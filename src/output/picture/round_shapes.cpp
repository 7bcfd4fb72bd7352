#include "output/picture/round_shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "output/picture/vectors.h"

namespace pliant::output {
namespace {

constexpr float pi = std::numbers::pi_v<float>;

// Joins rings of equally many vertices, which follow one another, by two triangles per cell.
void join_rings(RoundShape& shape, std::uint32_t rings, std::uint32_t sectors) {
    for (std::uint32_t r = 0; r + 1 < rings; ++r) {
        for (std::uint32_t s = 0; s < sectors; ++s) {
            const std::uint32_t a = r * sectors + s, b = r * sectors + (s + 1) % sectors;
            shape.triangles.push_back({a, a + sectors, b + sectors});
            shape.triangles.push_back({a, b + sectors, b});
        }
    }
}

// The point of a Catmull–Rom spline between b and c.
Vec3 between(Vec3 a, Vec3 b, Vec3 c, Vec3 d, float t) {
    const Vec3 linear = c - a, square = a * 2.0f - b * 5.0f + c * 4.0f - d, cube = (b - c) * 3.0f + d - a;
    return b + (linear * t + square * (t * t) + cube * (t * t * t)) * 0.5f;
}

// A point of the smooth curve between two of the path.
struct Station {
    Vec3 point;
    std::size_t before = 0, behind = 0;
    float share = 0;  // how far behind `before`
};

std::vector<Station> smoothed(std::span<const Vec3> path, int pieces) {
    std::vector<Station> stations;
    const std::size_t last = path.size() - 1;
    for (std::size_t i = 0; i < last; ++i) {
        const Vec3 before = path[i > 0 ? i - 1 : 0], after = path[std::min(i + 2, last)];
        for (int k = 0; k < (last > 1 ? pieces : 1); ++k) {
            const float t = static_cast<float>(k) / static_cast<float>(pieces);
            stations.push_back({between(before, path[i], path[i + 1], after, t), i, i + 1, t});
        }
    }
    stations.push_back({path[last], last, last, 0});
    return stations;
}

// Rings around the path, and half balls at its ends; those of a ribbon are flat. Rings turn from one to the
// next as little as possible, or as the sides of the ribbon do.
class TubeMaker {
public:
    TubeMaker(std::span<const Vec3> path, float radius, const Flatness& flatness, const TubeDetail& detail)
        : stations_(smoothed(path, detail.pieces)), radius_(radius), flatness_(flatness), detail_(detail) {
        section_ = is_flat() ? flat_section() : round_section();
    }

    Tube run() {
        const std::size_t count = stations_.size();
        for (std::size_t i = 0; i < count; ++i) {
            turn_to(i);
            if (i == 0) end(stations_[i], true);
            ring(stations_[i], 1, 0);
            if (i + 1 == count) end(stations_[i], false);
        }
        join_rings(tube_.shape, rings_, static_cast<std::uint32_t>(section_.size()));
        // Rings run along the path here, and from the top down in a ball: the other way round.
        for (Triangle& t : tube_.shape.triangles) std::swap(t[1], t[2]);
        return std::move(tube_);
    }

private:
    // Of the outline: along the side and across it.
    struct Corner {
        float x = 0, y = 0, normal_x = 0, normal_y = 0;
    };

    bool is_flat() const { return !flatness_.sides.empty(); }

    std::vector<Corner> round_section() const {
        std::vector<Corner> corners;
        for (int s = 0; s < detail_.sectors; ++s) {
            const float angle = 2 * pi * static_cast<float>(s) / static_cast<float>(detail_.sectors);
            const float x = std::cos(angle), y = std::sin(angle);
            corners.push_back({x * radius_, y * radius_, x, y});
        }
        return corners;
    }

    // |x/a|⁶ + |y/b|⁶ = 1: a rectangle with rounded corners.
    std::vector<Corner> flat_section() const {
        constexpr int sectors = 32;
        const float a = radius_, b = flatness_.thickness / 2;
        const auto root = [](float z) { return std::copysign(std::cbrt(std::abs(z)), z); };
        std::vector<Corner> corners;
        for (int s = 0; s < sectors; ++s) {
            const float angle = 2 * pi * static_cast<float>(s) / sectors;
            const float x = root(std::cos(angle)), y = root(std::sin(angle));
            const float along = std::pow(x, 5.0f) / a, across = std::pow(y, 5.0f) / b;
            const float size = std::sqrt(along * along + across * across);
            corners.push_back({a * x, b * y, along / size, across / size});
        }
        return corners;
    }

    void turn_to(std::size_t i) {
        const std::size_t last = stations_.size() - 1;
        along_ = unit(stations_[std::min(i + 1, last)].point - stations_[i > 0 ? i - 1 : 0].point, along_);
        const Vec3 wished = is_flat() ? side_at(i) : side_;
        const Vec3 across = wished - along_ * dot(wished, along_);
        const Vec3 other = std::abs(along_.x) < 0.8f ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
        const bool is_clear = dot(across, across) > 1e-6f;  // else it is but rounding
        side_ = is_clear ? unit(across, side_) : unit(cross(along_, other), {1, 0, 0});
    }

    Vec3 side_at(std::size_t i) const {
        const Station& station = stations_[i];
        const Vec3 &a = flatness_.sides[station.before], &b = flatness_.sides[station.behind];
        return unit(a, side_) * (1 - station.share) + unit(b, side_) * station.share;
    }

    void ring(const Station& at, float outward, float forward) {
        const Vec3 third = cross(along_, side_);
        const float round = is_flat() ? flatness_.thickness / 2 : radius_;
        for (const Corner& c : section_) {
            tube_.shape.positions.push_back(at.point + (side_ * c.x + third * c.y) * outward +
                                            along_ * (forward * round));
            tube_.shape.normals.push_back((side_ * c.normal_x + third * c.normal_y) * outward +
                                          along_ * forward);
            tube_.nearest.push_back(at.share < 0.5f ? at.before : at.behind);
        }
        ++rings_;
    }

    void end(const Station& at, bool first) {
        const int cap = detail_.cap;
        for (int k = 0; k < cap; ++k) {
            const float angle =
                pi / 2 * static_cast<float>(first ? cap - k : k + 1) / static_cast<float>(cap);
            ring(at, std::cos(angle), (first ? -1.0f : 1.0f) * std::sin(angle));
        }
    }

    std::vector<Station> stations_;
    float radius_;
    Flatness flatness_;
    TubeDetail detail_;
    std::vector<Corner> section_;
    Vec3 side_{1, 0, 0}, along_{0, 1, 0};
    std::uint32_t rings_ = 0;
    Tube tube_;
};

}  // namespace

void join_grid(std::vector<Triangle>& triangles, std::uint32_t base, std::uint32_t cells) {
    for (std::uint32_t i = 0; i < cells; ++i) {
        for (std::uint32_t j = 0; j < cells; ++j) {
            const std::uint32_t a = base + i * (cells + 1) + j, b = a + cells + 1;
            triangles.push_back({a, b, b + 1});
            triangles.push_back({a, b + 1, a + 1});
        }
    }
}

RoundShape make_ball(int rings) {
    RoundShape ball;
    const int sectors = 2 * rings;
    for (int r = 0; r <= rings; ++r) {
        const float down = pi * static_cast<float>(r) / static_cast<float>(rings);
        for (int s = 0; s < sectors; ++s) {
            const float around = 2 * pi * static_cast<float>(s) / static_cast<float>(sectors);
            ball.positions.push_back(
                {std::sin(down) * std::sin(around), std::cos(down), std::sin(down) * std::cos(around)});
        }
    }
    ball.normals = ball.positions;
    join_rings(ball, static_cast<std::uint32_t>(rings) + 1, static_cast<std::uint32_t>(sectors));
    return ball;
}

// Every face is a grid of which the outer cells bend over the edge; a point's normal leads from the
// box shrunk by the rounding's radius to the point.
RoundShape make_block(Vec3 half) {
    constexpr std::uint32_t inner = 12, bend = 4, cells = inner + 2 * bend;
    const float rounding = 0.06f * std::min({half.x, half.y, half.z});
    const Vec3 core{half.x - rounding, half.y - rounding, half.z - rounding};
    // −1 … 1 over the flat part, and how far over the edge as the tangent of the angle.
    const auto station = [&](std::uint32_t i) -> std::pair<float, float> {
        const auto tangent = [](std::uint32_t k) { return std::tan(pi / 4 * static_cast<float>(k) / bend); };
        if (i < bend) return {-1, -tangent(bend - i)};
        if (i > bend + inner) return {1, tangent(i - bend - inner)};
        return {2 * static_cast<float>(i - bend) / inner - 1, 0};
    };
    RoundShape block;
    for (int face = 0; face < 6; ++face) {
        const auto base = static_cast<std::uint32_t>(block.positions.size());
        const auto turned = [&](float a, float b, float c) -> Vec3 {  // c along the face's normal
            if (face % 2 == 1) a = -a, c = -c;
            return face < 2 ? Vec3{c, a, b} : face < 4 ? Vec3{b, c, a} : Vec3{a, b, c};
        };
        for (std::uint32_t i = 0; i <= cells; ++i) {
            for (std::uint32_t j = 0; j <= cells; ++j) {
                const auto [u, bend_u] = station(i);
                const auto [v, bend_v] = station(j);
                const Vec3 flat = turned(u, v, 1);
                const Vec3 normal = unit(turned(bend_u, bend_v, 1));
                block.positions.push_back(Vec3{flat.x * core.x, flat.y * core.y, flat.z * core.z} +
                                          normal * rounding);
                block.normals.push_back(normal);
            }
        }
        join_grid(block.triangles, base, cells);
    }
    return block;
}

Tube make_tube(std::span<const Vec3> path, float radius, const Flatness& flatness, const TubeDetail& detail) {
    if (path.empty()) return {};
    return TubeMaker(path, radius, flatness, detail).run();
}

}  // namespace pliant::output
