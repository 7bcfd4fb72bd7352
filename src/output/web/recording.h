// What a pane of a page shows, frame by frame, packed.
#pragma once

#include <pliant/error.h>
#include <pliant/output/picture.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "output/picture/collider_surfaces.h"

namespace pliant::output {

class PaneRecording {
public:
    // The first says what there is.
    Status add(const Picture& picture);

    // What does not move, colliders and the ground, as JSON.
    std::string model() const;
    // Low, high and the coordinates of all vertices, as one line of text.
    std::string line(std::size_t frame) const;

private:
    // A surface, tubes or beads: a range of the vertices.
    struct Item {
        std::size_t first = 0, count = 0;
        std::string json;
    };
    struct Pose {
        Vec3d center{};
        Quaternion rotation{};
        float scale = 1;
        bool operator==(const Pose& other) const;
    };
    // A collider as long as it has the same mesh.
    struct Track {
        std::size_t collider = 0, first_frame = 0;
        RoundShape mesh{};
        std::vector<Pose> poses{};
        bool inverted = false;  // it faces inward
    };
    // Coordinates count 1/65535 of the way from low to high of this frame.
    struct Frame {
        Vec3 low{}, high{};
        std::vector<std::uint16_t> coordinates{};
    };

    void begin(const Picture& picture);
    void add_item(std::size_t count, const std::string& json);
    void add_colliders(const Picture& picture);
    static std::string track_json(const Track& track);

    std::vector<Item> items_;
    std::size_t vertices_ = 0;
    std::vector<Track> tracks_;
    std::vector<std::optional<Plane>> grounds_;
    std::string label_;
    std::vector<Frame> frames_;
};

}  // namespace pliant::output
