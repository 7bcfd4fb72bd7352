// What a page draws of a running scene, as flat buffers: surfaces, tubes and beads one after the other.
#pragma once

#include <pliant/output/picture_maker.h>
#include <pliant/scene.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "output/picture/collider_surfaces.h"

namespace pliant::web {

class Drawing {
public:
    // trait: what the colours mean, if options.quantity is given.
    Drawing(const Player& player, output::PictureOptions options, std::optional<Trait> trait = {});

    // Fills buffers with the scene as it is now. Those of the last two times stay as they are: another thread
    // may be reading them.
    void update(const Player& player);

    // What does not change from frame to frame: items with their colours, colliders, ground, camera, light.
    const json::Value& layout() const { return layout_; }

    // Three numbers a vertex; colors, which are linear, are empty where no quantity is shown.
    const std::vector<float>& positions() const { return frames_[turn_].positions; }
    const std::vector<float>& normals() const { return frames_[turn_].normals; }
    const std::vector<float>& colors() const { return frames_[turn_].colors; }
    const std::vector<std::uint32_t>& indices() const { return indices_; }
    // Of each collider: centre, rotation (x, y, z, w), scale.
    const std::vector<float>& poses() const { return frames_[turn_].poses; }

private:
    void add_vertices(const std::vector<Vec3>& positions, const std::vector<Vec3>& normals);
    void add_colors(const std::vector<float>& values, const output::Picture& picture);
    void add_surface(const output::Surface& surface);
    void add_deforming(const output::ColliderSurface& surface, const output::Picture& picture);
    void add_tubes(const output::Tubes& tubes, const output::Picture& picture);
    void fill(const output::Picture& picture, const Player& player);
    void describe(const output::Picture& picture, const Player& player);

    output::Picture picture_of(const Player& player);

    output::PictureMaker maker_;
    std::optional<Trait> trait_;
    bool counting_ = true;  // the first time: items and indices are noted
    json::Value items_ = json::make_list(), layout_{};
    struct Buffers {
        std::vector<float> positions, normals, colors, poses;
    };
    std::array<Buffers, 3> frames_;
    std::size_t turn_ = 0;  // whose frame it is
    std::vector<std::uint32_t> indices_;
};

}  // namespace pliant::web
