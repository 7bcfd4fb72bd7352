// Meshes with normals for what has a simple shape.
#pragma once

#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pliant::output {

struct RoundShape {
    std::vector<Vec3> positions, normals;
    std::vector<Triangle> triangles;
};

// The unit ball, with rings from pole to pole and twice as many sectors.
RoundShape make_ball(int rings);

// A box about the origin with slightly rounded edges, so that they catch the light.
RoundShape make_block(Vec3 half_extents);

// Two triangles for each cell of a square grid, whose rows of cells + 1 vertices begin at base.
void join_grid(std::vector<Triangle>& triangles, std::uint32_t base, std::uint32_t cells);

struct Tube {
    RoundShape shape;
    std::vector<std::size_t> nearest;  // for each vertex, the point of the path
};

// What of a tube is not round: for each point of the path the direction of its width, twice the radius.
struct Flatness {
    std::span<const Vec3> sides{};
    float thickness = 0;
};

// How many corners its outline has, rings lie between two points of the path, and rings make a round end.
struct TubeDetail {
    int sectors = 14, pieces = 4, cap = 5;
};
inline constexpr TubeDetail thin_tube{5, 2, 1};  // some pixels wide

// With round ends. A path of one point gives a ball, an empty one nothing.
Tube make_tube(std::span<const Vec3> path, float radius, const Flatness& flatness = {},
               const TubeDetail& detail = {});

}  // namespace pliant::output
