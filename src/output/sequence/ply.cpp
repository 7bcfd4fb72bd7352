// Stanford PLY, binary little-endian: http://paulbourke.net/dataformats/ply
#include "output/sequence/encoder.h"

namespace pliant::output {
namespace {

struct Counts {
    std::size_t vertices = 0, triangles = 0, lines = 0;
    bool velocities = false, normals = false;
};

void write_header(OutputFile& out, double time, const Counts& counts) {
    out.print("ply\nformat binary_little_endian 1.0\ncomment Pliant: {} s; metres, y up\n", time);
    out.print("element vertex {}\nproperty float x\nproperty float y\nproperty float z\n", counts.vertices);
    if (counts.normals) out.write("property float nx\nproperty float ny\nproperty float nz\n");
    if (counts.velocities) out.write("property float vx\nproperty float vy\nproperty float vz\n");
    out.write("property int body\n");
    out.print("element face {}\nproperty list uchar int vertex_indices\n", counts.triangles);
    if (counts.lines > 0) {
        out.print("element edge {}\nproperty int vertex1\nproperty int vertex2\n", counts.lines);
    }
    out.write("end_header\n");
}

// A vertex has the same properties in every mesh: zero where the mesh has none.
void write_vertices(OutputFile& out, const Counts& counts, const SequenceMesh& mesh, std::int32_t body) {
    const auto write = [&](std::span<const Vec3> values, std::size_t i) {
        const Vec3 v = values.empty() ? Vec3{} : values[i];
        out.write_array(std::span(&v, 1));
    };
    for (std::size_t i = 0; i < mesh.positions.size(); ++i) {
        write(mesh.positions, i);
        if (counts.normals) write(mesh.normals, i);
        if (counts.velocities) write(mesh.velocities, i);
        out.write(bytes_of(body));
    }
}

class PlyEncoder final : public FrameFiles {
    using FrameFiles::FrameFiles;
    std::string_view extension() const override { return ".ply"; }

    void write(OutputFile& out, double time, std::span<const SequenceMesh> meshes) const override {
        Counts counts;
        for (const Shape& shape : shapes_) {
            counts.vertices += shape.vertices;
            counts.triangles += shape.triangles.size();
            counts.lines += shape.lines.size();
            counts.velocities |= shape.has_velocities;
            counts.normals |= shape.has_normals;
        }
        write_header(out, time, counts);
        for (std::size_t i = 0; i < meshes.size(); ++i) {
            write_vertices(out, counts, meshes[i], static_cast<std::int32_t>(i));
        }
        each_element(out, &Shape::triangles, true);
        each_element(out, &Shape::lines, false);
    }

    template <class Element>
    void each_element(OutputFile& out, std::vector<Element> Shape::*elements, bool counted) const {
        std::uint32_t first_vertex = 0;
        for (const Shape& shape : shapes_) {
            for (const Element& element : shape.*elements) {
                if (counted) out.write(bytes_of(static_cast<std::uint8_t>(element.size())));
                for (const std::uint32_t corner : element) out.write(bytes_of(first_vertex + corner));
            }
            first_vertex += static_cast<std::uint32_t>(shape.vertices);
        }
    }
};

}  // namespace

std::unique_ptr<Encoder> make_ply_encoder(SequencePlace place, double frames_per_second) {
    return std::make_unique<PlyEncoder>(std::move(place), frames_per_second);
}

}  // namespace pliant::output
