// Wavefront OBJ: http://paulbourke.net/dataformats/obj
#include "output/sequence/encoder.h"

#include <algorithm>

namespace pliant::output {
namespace {

void write_faces(OutputFile& out, const Shape& shape, const SplitVertices& textured, std::size_t first_vertex,
                 std::size_t first_normal, std::size_t first_texture) {
    for (std::size_t i = 0; i < shape.triangles.size(); ++i) {
        out.write("f");
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t corner = shape.triangles[i][k];
            out.print(" {}", first_vertex + corner);
            if (!shape.texture_coordinates.empty()) {
                out.print("/{}", first_texture + textured.triangles[i][k]);
            } else if (shape.has_normals) {
                out.write("/");
            }
            if (shape.has_normals) out.print("/{}", first_normal + corner);
        }
        out.write("\n");
    }
}

void write_lines_and_points(OutputFile& out, const Shape& shape, std::size_t first_vertex) {
    // One segment a line: of longer ones Blender takes the first segment only.
    for (const Edge& e : shape.lines) out.print("l {} {}\n", first_vertex + e[0], first_vertex + e[1]);
    for (const std::uint32_t vertex : shape.loose) out.print("p {}\n", first_vertex + vertex);
}

class ObjEncoder final : public FrameFiles {
    using FrameFiles::FrameFiles;
    std::string_view extension() const override { return ".obj"; }
    void write(OutputFile& out, double time, std::span<const SequenceMesh> meshes) const override {
        out.print("# Pliant: {} s; metres, y up\n", time);
        write_obj(out, shapes_, meshes);
    }
};

}  // namespace

// Numbers in faces count from 1 over the whole file.
void write_obj(OutputFile& out, std::span<const Shape> shapes, std::span<const SequenceMesh> meshes) {
    // Some readers (meshio) want as many texture coordinates as vertices, or none.
    const bool any_texture = std::any_of(
        shapes.begin(), shapes.end(), [](const Shape& shape) { return !shape.texture_coordinates.empty(); });
    std::size_t vertex = 1, normal = 1, texture = 1;
    for (std::size_t i = 0; i < meshes.size(); ++i) {
        const Shape& shape = shapes[i];
        out.print("o {}\n", shape.name);
        for (const Vec3& p : meshes[i].positions) out.print("v {} {} {}\n", p.x, p.y, p.z);
        SplitVertices textured = split_vertices(shape);
        if (any_texture && textured.texture_coordinates.empty())
            textured.texture_coordinates.resize(shape.vertices);
        for (const Vec2& uv : textured.texture_coordinates) out.print("vt {} {}\n", uv.x, uv.y);
        for (const Vec3& n : meshes[i].normals) out.print("vn {} {} {}\n", n.x, n.y, n.z);
        write_faces(out, shape, textured, vertex, normal, texture);
        write_lines_and_points(out, shape, vertex);
        vertex += shape.vertices;
        texture += textured.texture_coordinates.size();
        normal += meshes[i].normals.size();
    }
}

std::unique_ptr<Encoder> make_obj_encoder(SequencePlace place, double frames_per_second) {
    return std::make_unique<ObjEncoder>(std::move(place), frames_per_second);
}

}  // namespace pliant::output
