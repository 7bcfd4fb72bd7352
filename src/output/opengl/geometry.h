// All that a picture shows, as triangles ready to be drawn.
#pragma once

#include <pliant/output/picture.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace pliant::output::opengl {

// Coordinates relative to the stage: its middle is 0, and it fits into the ball of radius 1. So all
// tolerances of the shaders are relative, and far from the world's origin nothing trembles.
struct Vertex {
    std::array<float, 3> position{};
    std::array<float, 3> normal{};
    std::array<std::uint8_t, 4> color{};  // sRGB, and the number of the weave
    std::array<float, 2> yarn{};          // as Surface::yarns
};

// Triangles that are drawn in one go.
struct DrawRange {
    Finish finish = Finish::matte;
    bool strands = false;    // thin tubes, many of them: lit by their direction
    bool wireframe = false;  // every corner is a vertex of its own: corner k of triangle i is 3·i + k
    bool shadow = true;
    std::size_t first = 0, count = 0;                // of indices
    std::size_t first_vertex = 0;                    // with a wireframe
    std::size_t first_coarse = 0, coarse_count = 0;  // of indices: the same shape with fewer triangles
};

// Fewer triangles between some of the same vertices, found once for a list of triangles.
class Coarsener {
public:
    const std::vector<Triangle>& operator()(const std::shared_ptr<const std::vector<Triangle>>& triangles,
                                            std::span<const Vec3> positions);

private:
    struct Entry {
        std::shared_ptr<const std::vector<Triangle>> fine;
        std::vector<Triangle> coarse;
    };
    std::vector<Entry> entries_;
};

struct Geometry {
    Vec3d center{};
    double radius = 1;
    std::vector<Vertex> vertices;
    std::vector<std::uint32_t> indices;
    std::vector<DrawRange> ranges;
    Coarsener coarsener;
};

// Triangles with a corner that is no number, or that does not exist, are left out.
void build(const Picture& picture, Geometry& geometry);

}  // namespace pliant::output::opengl
