// The parts of a sequence that are the bodies of a View.
#pragma once

#include "output/sequence.h"

#include <cstdint>

namespace pliant::output {

class BodyParts {
public:
    // shapes: none, or one for each body.
    // inner_particles: no skins, and also those of a body with triangles that belong to none of them.
    BodyParts(const View& first, std::span<const BodyShape> shapes, bool inner_particles);

    // Valid until the next call. The view must have the bodies of the first.
    Result<std::span<const Part>> of(const View& view);

private:
    struct Body {
        BodyView view;
        std::vector<std::uint32_t> particles;  // behind each vertex; empty: all of them
        std::vector<Triangle> triangles;       // of vertices
        std::vector<std::array<Vec2, 3>> texture_coordinates;
        Skin skin;  // in place of the triangles
        std::vector<Vec3> positions, velocities, normals;

        void show(const View& now, Part& part);
    };
    void add(const View& view, const BodyView& body, const BodyShape& shape, bool inner_particles);
    static Body choose_vertices(const View& view, const BodyView& body, bool inner_particles);

    std::vector<Body> bodies_;
    std::vector<Part> parts_;
    std::size_t particles_;
};

}  // namespace pliant::output
