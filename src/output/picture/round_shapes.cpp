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

struct Station {
    Vec3 point;
    std::size_t nearest = 0;
};

std::vector<Station> smoothed(std::span<const Vec3> path) {
    constexpr int pieces = 4;
    std::vector<Station> stations;
    const std::size_t last = path.size() - 1;
    for (std::size_t i = 0; i < last; ++i) {
        const Vec3 before = path[i > 0 ? i - 1 : 0], after = path[std::min(i + 2, last)];
        for (int k = 0; k < (last > 1 ? pieces : 1); ++k) {
            const float t = static_cast<float>(k) / pieces;
            stations.push_back({between(before, path[i], path[i + 1], after, t), t < 0.5f ? i : i + 1});
        }
    }
    stations.push_back({path[last], last});
    return stations;
}

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

// Rings around the path, turned from one to the next as little as possible, and half balls at its ends.
Tube make_tube(std::span<const Vec3> path, float radius) {
    constexpr int sectors = 14, cap = 5;
    Tube tube;
    if (path.empty()) return tube;
    const std::vector<Station> stations = smoothed(path);
    const std::size_t count = stations.size();
    Vec3 side{1, 0, 0}, along{0, 1, 0};
    std::uint32_t rings = 0;
    const auto ring = [&](const Station& at, float outward, float forward) {
        const Vec3 third = cross(along, side);
        for (int s = 0; s < sectors; ++s) {
            const float angle = 2 * pi * static_cast<float>(s) / sectors;
            const Vec3 around = side * std::cos(angle) + third * std::sin(angle);
            const Vec3 normal = around * outward + along * forward;
            tube.shape.positions.push_back(at.point + normal * radius);
            tube.shape.normals.push_back(normal);
            tube.nearest.push_back(at.nearest);
        }
        ++rings;
    };
    const auto end = [&](const Station& at, bool first) {
        for (int k = 0; k < cap; ++k) {
            const float angle = pi / 2 * static_cast<float>(first ? cap - k : k + 1) / cap;
            ring(at, std::cos(angle), (first ? -1.0f : 1.0f) * std::sin(angle));
        }
    };
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3 before = stations[i > 0 ? i - 1 : 0].point,
                   after = stations[std::min(i + 1, count - 1)].point;
        along = unit(after - before, along);
        const Vec3 other = std::abs(along.x) < 0.8f ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
        const Vec3 across = side - along * dot(side, along);
        const bool is_clear = dot(across, across) > 1e-6f;  // else it is but rounding
        side = is_clear ? unit(across, side) : unit(cross(along, other), {1, 0, 0});
        if (i == 0) end(stations[i], true);
        ring(stations[i], 1, 0);
        if (i + 1 == count) end(stations[i], false);
    }
    join_rings(tube.shape, rings, sectors);
    // Rings run along the path here, and from the top down in a ball: the other way round.
    for (Triangle& t : tube.shape.triangles) std::swap(t[1], t[2]);
    return tube;
}

}  // namespace pliant::output
