// The meshes of a sequence that are the bodies of a View.
#pragma once

#include <pliant/output/sequence.h>

#include <cstdint>

namespace pliant::output {

class BodyMeshes {
public:
    // inner_particles: no skins, and also those of a body with triangles that belong to none of them.
    BodyMeshes(const View& first, bool inner_particles);

    // Valid until the next call. The view must have the bodies of the first, joined as they were.
    Result<std::span<const SequenceMesh>> of(const View& view);

private:
    struct Body {
        std::uint32_t index = 0;
        bool has_skin = false;
        std::vector<std::uint32_t> particles;  // behind each vertex; empty: all of them
        std::vector<Triangle> triangles;       // of vertices
        std::vector<Edge> lines;
        std::vector<Tetrahedron> tetrahedra;
        std::vector<std::array<Vec2, 3>> texture_coordinates;
        std::vector<Vec3> positions, velocities, normals;

        void choose_vertices(const View& view, bool inner_particles);
        Status show(const View& view, SequenceMesh& mesh);
        Status show_skin(const View& view, const SkinView& skin);
    };
    static Body make_body(const View& view, std::uint32_t index, bool inner_particles);

    std::vector<Body> bodies_;
    std::vector<SequenceMesh> meshes_;
    std::size_t particles_;
    std::uint64_t topology_version_;
};

}  // namespace pliant::output
