// What of a body goes into a picture, chosen once; its positions follow frame by frame.
#pragma once

#include <pliant/output/picture_maker.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "output/picture/paths.h"

namespace pliant::output {

struct Drawable {
    enum class Kind { surface, skin, tetrahedra, tubes, beads } kind = Kind::surface;
    std::vector<std::uint32_t> particles{};                    // behind each vertex
    std::uint32_t skin = 0;                                    // of the View
    std::shared_ptr<const std::vector<Triangle>> triangles{};  // of vertices
    std::shared_ptr<const std::vector<Path>> paths{};          // of vertices
    std::vector<Tetrahedron> tetrahedra{};                     // of vertices
    std::vector<Vec2> yarns{};                                 // as in Surface
    Weave weave = Weave::none;
    Color color{};
    Finish finish = Finish::cloth;
    float radius = 0;  // m, of tubes and beads
    // Of ribbons: the lines before and behind each vertex, perhaps the same.
    std::vector<std::array<std::uint32_t, 2>> lines{};
    float thickness = 0;  // m, of ribbons
};

// across: how large the scene is, so that what has no thickness is seen.
std::vector<Drawable> make_drawables(const View& start, const PictureOptions& options, double across);

// Adds it as it is now. values: empty, or one per particle.
void show(const Drawable& drawable, const View& view, std::span<const float> values, bool wireframe,
          Picture& picture);

}  // namespace pliant::output
