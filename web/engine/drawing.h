// What a page draws of a running scene, as flat buffers: surfaces, tubes and beads one after the other.
#pragma once

#include <pliant/output/picture_maker.h>
#include <pliant/scene.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.h"

namespace pliant::web {

class Drawing {
public:
    Drawing(const Player& player, output::PictureOptions options);

    // Fills the buffers with the scene as it is now.
    void update(const Player& player);

    // What does not change from frame to frame: items with their colours, colliders, ground, camera, light.
    const json::Value& layout() const { return layout_; }

    // Three numbers a vertex; colors, which are linear, are empty where no quantity is shown.
    const std::vector<float>& positions() const { return positions_; }
    const std::vector<float>& normals() const { return normals_; }
    const std::vector<float>& colors() const { return colors_; }
    const std::vector<std::uint32_t>& indices() const { return indices_; }
    // Of each collider: centre, rotation (x, y, z, w), scale.
    const std::vector<float>& poses() const { return poses_; }

private:
    void add_vertices(const std::vector<Vec3>& positions, const std::vector<Vec3>& normals);
    void add_colors(const std::vector<float>& values, const output::Picture& picture);
    void add_surface(const output::Surface& surface);
    void add_tubes(const output::Tubes& tubes, const output::Picture& picture);
    void fill(const output::Picture& picture, const Player& player);
    void describe(const output::Picture& picture, const Player& player);

    output::PictureMaker maker_;
    bool counting_ = true;  // the first time: items and indices are noted
    json::Value items_ = json::make_list(), layout_{};
    std::vector<float> positions_, normals_, colors_, poses_;
    std::vector<std::uint32_t> indices_;
};

}  // namespace pliant::web
