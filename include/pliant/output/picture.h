// The contents of one picture: plain lists, copied from a simulation. It can be drawn while the next frame
// is simulated.
#pragma once

#include <pliant/bounds.h>
#include <pliant/description.h>
#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pliant::output {

struct Color {
    float red = 0, green = 0, blue = 0;  // sRGB, in [0, 1]
};

using Bounds = Bounds3d;  // m

// How a surface takes light.
enum class Finish {
    jelly,  // closed, glossy, light passes through where it is thin
    cloth,  // open: both sides are seen
    matte,  // closed, dull
};

struct Surface {
    std::vector<Vec3> positions{};                             // m
    std::shared_ptr<const std::vector<Triangle>> triangles{};  // one list serves many frames
    std::vector<Vec3> normals{};                               // empty: smooth ones are computed
    std::vector<float> values{};                               // empty, or one for each position: see Scale
    Color color{0.8f, 0.8f, 0.8f};
    Finish finish = Finish::cloth;
    // Woven cloth: for each position how many yarns it is across the warp and across the weft. Empty: none.
    std::vector<Vec2> yarns{};
    Weave weave = Weave::none;
    bool wireframe = false;  // the edges of the triangles, drawn over them
    bool faceted = false;    // each triangle in its own light; needs no normals
};

// Round tubes along paths of points, smoothed between them.
struct Tubes {
    std::vector<Vec3> positions{};  // m
    std::shared_ptr<const std::vector<std::vector<std::uint32_t>>> paths{};
    std::vector<float> values{};  // empty, or one for each position
    float radius = 0.01f;         // m
    Color color{0.8f, 0.8f, 0.8f};
    // Of ribbons: for each position the direction of the width, which is twice the radius. Empty: round.
    std::vector<Vec3> sides{};
    float thickness = 0;  // m, of ribbons
};

// A ball at each point.
struct Beads {
    std::vector<Vec3> positions{};  // m
    std::vector<float> values{};    // empty, or one for each position
    float radius = 0.01f;           // m
    Color color{0.8f, 0.8f, 0.8f};
};

struct Camera {
    Vec3d eye{0, 1, 3}, target{};  // m
    double field_of_view = 30;     // degrees, from bottom to top
};

// Values from low to high are shown from dark violet to yellow, with a legend.
struct Scale {
    std::string title{};
    double low = 0, high = 1;
};

enum class Corner { top_left, top_right, bottom_left, bottom_right };

struct Caption {
    std::string text{};  // may have several lines; the first is larger
    Corner corner = Corner::top_left;
};

struct Picture {
    std::vector<Surface> surfaces{};
    std::vector<Tubes> tubes{};
    std::vector<Beads> beads{};
    std::vector<Collider> colliders{};  // planes that face the camera are shown as walls
    std::optional<Plane> ground{};      // endless, with a grid
    Camera camera{};
    Vec3 light{-0.45f, 1, 0.55f};  // towards the light
    // Where things happen. Shadows fall here, and the grid fades around it. Empty: around all that is drawn.
    // The same in every frame of a film, or shadows flicker.
    Bounds stage{};
    std::optional<Scale> scale{};
    std::vector<Caption> captions{};
};

// The arrangement of the pictures of one frame: row after row, with a narrow white gap between them.
struct Panes {
    int columns = 1, rows = 1;
};

// Around all surfaces, tubes, beads and colliders; never the planes.
Bounds bounds_of(const Picture& picture);

}  // namespace pliant::output
