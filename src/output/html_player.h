// Records what a simulation shows and writes it as one web page that plays it anywhere, offline.
#pragma once

#include "output/body_parts.h"

#include <pliant/description.h>
#include <pliant/error.h>
#include <pliant/view.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pliant {
class OutputFile;
}

namespace pliant::output {

class HtmlPlayer {
public:
    // The colliders are shown as they are described: the plane that points up most is the ground.
    // shapes: none, or one for each body.
    explicit HtmlPlayer(std::string caption, std::vector<Collider> colliders = {},
                        std::vector<BodyShape> shapes = {});

    // Every view must be of the same simulation. Of a body its skin is kept; without one, the corners of its
    // triangles; without any, all its particles, which are shown as beads.
    void add_frame(const View& view);

    std::size_t frames() const { return frames_.size(); }

    // Appears under its name only when it is complete. Needs a frame.
    Status write(const std::filesystem::path& file) const;

private:
    struct Range {
        std::string name;
        std::size_t first_vertex = 0, vertex_count = 0;
        std::size_t first_triangle = 0, triangle_count = 0;
    };
    // Coordinates count 1/65535 of the way from low to high of this frame.
    struct Frame {
        double time = 0;
        Vec3 low, high;
        std::vector<std::uint16_t> coordinates;
    };

    void begin(std::span<const output::Part> parts);
    std::string model() const;
    void write_page(OutputFile& out) const;

    std::string caption_;
    std::vector<Collider> colliders_;
    std::vector<BodyShape> shapes_;
    std::optional<BodyParts> bodies_;  // from the first frame on
    std::vector<Range> ranges_;        // of each body
    std::size_t vertices_ = 0;
    std::vector<Triangle> triangles_;  // of vertices
    std::vector<Frame> frames_;
};

}  // namespace pliant::output
