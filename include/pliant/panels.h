// Cloth from flat panels that are sewn along seams, as clothes are.
#pragma once

#include <pliant/description.h>
#include <pliant/error.h>
#include <pliant/mesh.h>
#include <pliant/vector.h>

#include <cstdint>
#include <string>
#include <vector>

namespace pliant {

// A flat piece of cloth. Its outline is drawn in a plane, with x to the right, y up and z towards the
// viewer; the panel faces +z, whichever way round the outline is drawn.
struct Panel {
    std::string name{};
    std::vector<Vec2> outline{};  // m, the corners of a polygon that does not cross itself
    Vec3 position{};              // m, where the origin of the outline is
    Quaternion rotation{};        // any length but 0
    Vec2 warp{0, 1};              // along which its warp runs, in the plane of the outline; any length but 0
};

// The stretch of a panel's outline from one corner to another, in the order in which the corners are listed
// (after the last comes the first) or backward. From a corner to itself: once round.
struct SeamSide {
    std::string panel{};
    std::uint32_t from = 0, to = 0;
    bool backward = false;
};

// Sews two stretches together, from their starts to their ends. The longer one is gathered.
struct Seam {
    SeamSide a{}, b{};
};

struct Panels {
    float edge_length = 0.05f;  // m, wished, of the triangles
    std::vector<Panel> pieces{};
    std::vector<Seam> seams{};
};

// Texture coordinates are those of the outlines, in metres.
struct SewnPanels {
    TriangleMesh mesh{};
    std::vector<Edge> seams{};            // for Cloth::seams
    std::vector<Vec3> warp_directions{};  // for Cloth::warp_directions
};

// Fills every panel with even triangles, whose corners along a seam are as many on both sides. A corner of an
// outline that turns by less than 30° counts as part of a curve: it need not become a vertex.
Result<SewnPanels> sew(const Panels& panels);

}  // namespace pliant
